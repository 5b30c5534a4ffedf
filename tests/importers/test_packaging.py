"""Every packaging of Claude.ai gives the same notes; what is damaged gives what can be read, and says where it ends."""

import io
import json
import os
import zipfile
from pathlib import Path

import pytest

from holovault.errors import NotFoundError, UsageError
from tests.support.exports import ACCOUNT, chat, imported, project, talk, tree, write_json, zipped

CHATS = [chat(1, "Rivers", talk(1, "Which river?", "The Volga.")), chat(2, "Bread", talk(2, "Flour?", "Rye."))]
PROJECT = project(7, "Atlas", "Answer in Russian.", [{"uuid": "doc-1", "filename": "plan.md", "content": "# Plan\n\nsteps"}])
MEMORY = {"account_uuid": ACCOUNT, "conversations_memory": "**Work**\n\nBuilds maps.", "project_memories": {PROJECT["uuid"]: "Uses tiles."}}
LOGINS = [{"ip_address": "192.0.2.1", "user_agent": "x"}]
USERS = [{"uuid": ACCOUNT, "full_name": "Sample User", "email_address": "user@example.com"}]
MANIFEST = {
    "version": "1.0",
    "data_files": [{"category": "projects", "filename": "projects-000.zip", "export_url": "https://signed.example/once"}],
}


def _era_a(folder: Path) -> list[Path]:
    members = {"conversations.json": CHATS, "projects.json": [PROJECT], "users.json": USERS, "memories.json": [MEMORY]}
    return [zipped(folder / "data-2025-01-02.zip", members)]


def _era_b(folder: Path) -> list[Path]:
    return [
        zipped(folder / "data-batch-0000.zip", {"conversations.json": CHATS[:1], "memories.json": [MEMORY]}),
        zipped(folder / "data-batch-0001.zip", {"conversations.json": CHATS[1:], f"projects/{PROJECT['uuid']}.json": PROJECT}),
    ]


def _era_c(folder: Path) -> list[Path]:
    return [
        zipped(folder / "memories-000.zip", {f"memories/{ACCOUNT}.json": MEMORY}),
        zipped(folder / "conversations-001.zip", {"conversations.json": CHATS[1:]}),
        zipped(folder / "light_metadata-000.zip", {"users.json": USERS, "login_history.json": LOGINS}),
        zipped(folder / "projects-000.zip", {f"projects/{PROJECT['uuid']}.json": PROJECT}),
        zipped(folder / "conversations-000.zip", {"conversations.json": CHATS[:1]}),
    ]


def _unpacked(folder: Path) -> list[Path]:
    for name, value in {
        "a/conversations.json": CHATS,
        "a/projects.json": [PROJECT],
        "a/memories.json": [MEMORY],
        "users.json": USERS,
    }.items():
        write_json(folder / name, value)
    return [folder]


def _loose(folder: Path) -> list[Path]:
    return [
        write_json(folder / "renamed by me.json", {"conversations": CHATS}),
        write_json(folder / "p.json", PROJECT),
        write_json(folder / "m.json", MEMORY),
        write_json(folder / "manifest-1.json", MANIFEST),
    ]


@pytest.mark.parametrize(
    "packaging", [_era_b, _era_c, _unpacked, _loose], ids=["batches", "one zip for each kind", "a folder", "loose files"]
)
def test_every_packaging_gives_the_notes_of_the_first(tmp_path: Path, packaging: object) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert callable(packaging)
    first = imported(tmp_path / "first", *_era_a(tmp_path / "a"))
    other = imported(tmp_path / "other", *packaging(tmp_path / "b"))
    assert not first.problems and not other.problems
    assert tree(tmp_path / "other") == tree(tmp_path / "first")
    assert set(tree(tmp_path / "first")) >= {"INDEX.md", "Memory/profile.md", "Projects/Atlas/CONTEXT.md", "Projects/Atlas/docs/plan.md"}
    assert "Uses tiles." in tree(tmp_path / "first")["Projects/Atlas/CONTEXT.md"]


def test_accounts_logins_and_signed_links_never_reach_the_vault(tmp_path: Path) -> None:
    imported(tmp_path / "vault", *_era_c(tmp_path), write_json(tmp_path / "manifest-1.json", MANIFEST))
    everything = b"".join(path.read_bytes() for path in (tmp_path / "vault").rglob("*") if path.is_file())
    assert not [secret for secret in (b"user@example.com", b"192.0.2.1", b"signed.example") if secret in everything]


def test_a_list_of_links_alone_is_told_from_an_export(tmp_path: Path) -> None:
    report = imported(tmp_path / "vault", write_json(tmp_path / "manifest-1.json", MANIFEST))
    assert report.examined == 0
    assert "only a list of links" in report.problems[0] and "Download each part" in report.problems[0]


def test_a_zip_with_conversations_only_is_known_by_its_shape(tmp_path: Path) -> None:
    assert imported(tmp_path / "vault", zipped(tmp_path / "x.zip", {"conversations.json": CHATS})).new == 2


def test_a_path_that_is_not_there_and_no_path_are_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no export"):
        imported(tmp_path / "vault", tmp_path / "absent.zip")
    with pytest.raises(UsageError, match="Name the export"):
        imported(tmp_path / "vault")


def test_an_export_of_another_kind_is_told_its_importer_once(tmp_path: Path) -> None:
    report = imported(tmp_path / "vault", write_json(tmp_path / "c.json", [{"id": "x", "title": "X", "mapping": {}}] * 3))
    assert report.examined == 0
    assert report.problems == ("c.json is an export of ChatGPT: import it with holovault import chatgpt.",)


def test_json_cut_in_the_middle_gives_the_conversations_before_the_cut(tmp_path: Path) -> None:
    whole = json.dumps(CHATS).encode()
    file = tmp_path / "conversations.json"
    file.write_bytes(whole[:-200])
    report = imported(tmp_path / "vault", file)
    second = whole.index(json.dumps(CHATS[1]).encode())
    assert report.new == 1
    assert f"past byte {second:,}" in report.problems[0] and "1 entries before it" in report.problems[0]


@pytest.mark.parametrize("stored", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED], ids=["packed", "stored"])
def test_a_zip_cut_by_a_broken_download_gives_what_it_has(tmp_path: Path, stored: int) -> None:
    many = [chat(n, f"Chat {n}", talk(n, os.urandom(2000).hex(), "yes")) for n in range(1, 30)]
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", stored) as archive:
        archive.writestr("memories.json", json.dumps([MEMORY]))
        archive.writestr("conversations.json", json.dumps(many))
    cut = tmp_path / "data.zip"
    cut.write_bytes(whole.getvalue()[: len(whole.getvalue()) // 2])
    report = imported(tmp_path / "vault", cut)
    assert 5 < report.new < 29
    assert (tmp_path / "vault/Memory/profile.md").exists()
    assert any("is not whole" in problem for problem in report.problems)
    assert any("cannot be read past byte" in problem for problem in report.problems)


def test_a_streamed_zip_without_sizes_is_salvaged_too(tmp_path: Path) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            piece = bytes(data)  # type: ignore[call-overload]
            self.data += piece
            return len(piece)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # not seekable: sizes come behind the data
        archive.writestr("memories.json", json.dumps([MEMORY]))
        archive.writestr("conversations.json", json.dumps(CHATS))
    cut = tmp_path / "data.zip"
    cut.write_bytes(bytes(pipe.data[: pipe.data.index(b"PK\x01\x02")]))
    assert imported(tmp_path / "vault", cut).new == 4


def test_a_damaged_member_does_not_stop_the_others(tmp_path: Path) -> None:
    file = zipped(tmp_path / "data.zip", {"a.json": CHATS, "b.json": [PROJECT]})
    data = bytearray(file.read_bytes())
    start = data.index(b"a.json") + 20
    data[start : start + 40] = bytes(40)
    file.write_bytes(data)
    report = imported(tmp_path / "vault", file)
    assert any("a.json" in problem for problem in report.problems)
    assert (tmp_path / "vault/Projects/Atlas/CONTEXT.md").exists()


def test_an_archive_of_almost_nothing_is_not_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("conversations.json", "w", force_zip64=True) as member:
        member.write(b'["')
        for _ in range(60):
            member.write(bytes(1_000_000))
    report = imported(tmp_path / "vault", file)
    assert report.examined == 0
    assert "of almost nothing" in report.problems[0]


def test_names_inside_an_archive_place_no_file(tmp_path: Path) -> None:
    evil = {"../../evil/conversations.json": CHATS, "/abs.json": [PROJECT], "C:\\w.json": [MEMORY]}
    before = set(tmp_path.rglob("*"))
    report = imported(tmp_path / "vault", zipped(tmp_path / "x.zip", evil))
    made = {path for path in tmp_path.rglob("*") if path not in before} - {tmp_path / "x.zip"}
    assert report.new == 5
    assert all(path.is_relative_to(tmp_path / "vault") for path in made)
