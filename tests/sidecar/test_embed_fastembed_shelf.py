"""Fetching models from a hub that breaks, taking a person's own folder, and removing both, with the real fastembed in the helper."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import cast

import pytest
from filelock import FileLock

from holovault.embed.helper import Helper
from holovault.embed.hubwire import Look, Request, Seen
from holovault.embed.ownfolder import Wishes
from holovault.embed.registry import Registry
from holovault.embed.shelf import Shelf
from holovault.errors import BusyError, DiskError, NotFoundError, UsageError, UserError
from tests.support.fake_hub import FakeHub, Fault, fake_hub
from tests.support.tiny_model import DIMENSION, make_tiny_model

NAME = "sentence-transformers/all-MiniLM-L6-v2"
BLOCK = 10 * 1024 * 1024
"""What huggingface_hub hands on at a time: less than that is lost with the connection."""
CORPUS = ["the river rose in the night and took the old bridge with it"]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_tiny_model(tmp_path_factory.mktemp("hub"), CORPUS, limit=256, ballast=11_500)
    (folder / "README.md").write_text("not asked for", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def served(published: Path) -> Iterator[FakeHub]:
    with fake_hub(published) as hub:
        yield hub


@pytest.fixture(scope="module")
def helper(served: FakeHub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Helper]:
    """One process for all tests that do not change its environment: it takes seconds to start."""
    folder = tmp_path_factory.mktemp("helper")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HF_ENDPOINT", served.address)
        environment.setenv("NO_PROXY", "127.0.0.1")
        environment.delenv("HF_HUB_OFFLINE", raising=False)
        with Helper(folder, folder) as started:
            started(Look(NAME), Seen, 60)
            yield started


@pytest.fixture
def hub(served: FakeHub, published: Path) -> FakeHub:
    served.reset(published)
    return served


@pytest.fixture
def shelf(tmp_path: Path, helper: Helper) -> Shelf:
    models = tmp_path / "models"
    models.mkdir()
    return Shelf(models, lambda: nullcontext(helper))


@pytest.fixture
def fresh(tmp_path: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A shelf whose helper starts in the test, with the environment of the test."""
    models = tmp_path / "fresh"
    models.mkdir()
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    return Shelf(models, lambda: Helper(models, tmp_path / "logs"))


def quiet(done: int, total: int) -> None:
    """Nobody looks."""


def here(shelf: Shelf) -> list[str]:
    """What lies in the models folder, locks left out."""
    folder = shelf.registry.models
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


def test_a_model_is_fetched_once_and_with_nothing_else(shelf: Shelf, hub: FakeHub) -> None:
    steps: list[tuple[int, int]] = []
    record = shelf.download(NAME.upper(), lambda done, total: steps.append((done, total)))
    assert (record.name, record.dimension, record.trained, record.revision) == (NAME, DIMENSION, 256, hub.revision)
    assert record.memory_mb > 30
    folder = "fastembed/sentence-transformers--all-minilm-l6-v2"
    parts = ["config.json", "model.onnx", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json"]
    assert here(shelf) == [*(f"{folder}/{part}" for part in parts), "models.json"]
    assert steps[-1][0] == steps[-1][1] > 11_000_000
    assert all(done <= total for done, total in steps)
    asked = list(hub.asked)
    assert shelf.download(NAME, quiet) == record
    assert hub.asked == asked


def test_a_download_that_broke_goes_on_where_it_stopped(shelf: Shelf, hub: FakeHub) -> None:
    hub.faults.append(Fault("model.onnx", "cut", BLOCK + 1000, then=500))
    with pytest.raises(UserError, match="cannot be reached"):
        shelf.download(NAME, quiet)
    assert shelf.registry.all() == {}
    assert shelf.started(NAME)
    hub.status, before = 200, len(hub.asked)
    record = shelf.download(NAME, quiet)
    assert hub.asked[before:] == [("model.onnx", BLOCK)]
    assert (shelf.registry.place(record) / "model.onnx").read_bytes() == (hub.folder / "model.onnx").read_bytes()
    assert not shelf.started(NAME)


def test_a_connection_that_breaks_once_is_taken_up_at_once(shelf: Shelf, hub: FakeHub) -> None:
    hub.faults.append(Fault("model.onnx", "cut", BLOCK + 1000))
    shelf.download(NAME, quiet)
    assert [start for name, start in hub.asked if name == "model.onnx"] == [0, BLOCK]


def test_another_version_on_the_hub_begins_anew(shelf: Shelf, hub: FakeHub) -> None:
    hub.faults.append(Fault("model.onnx", "cut", BLOCK + 1000, then=500))
    with pytest.raises(UserError):
        shelf.download(NAME, quiet)
    hub.status, hub.revision, before = 200, "b" * 40, len(hub.asked)
    assert shelf.download(NAME, quiet).revision == "b" * 40
    assert ("model.onnx", 0) in hub.asked[before:]
    assert ("tokenizer.json", 0) in hub.asked[before:]


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_bytes_that_are_not_the_announced_ones_are_fetched_again(shelf: Shelf, hub: FakeHub, file: str) -> None:
    hub.faults.append(Fault(file, "damage"))
    record = shelf.download(NAME, quiet)
    assert (shelf.registry.place(record) / file).read_bytes() == (hub.folder / file).read_bytes()


def test_bytes_that_are_wrong_twice_are_never_used(shelf: Shelf, hub: FakeHub) -> None:
    hub.faults += [Fault("model.onnx", "damage")] * 2
    with pytest.raises(UserError, match=r"model\.onnx arrived damaged twice"):
        shelf.download(NAME, quiet)
    assert shelf.registry.all() == {}
    assert not any("model.onnx" in path for path in here(shelf))


def test_a_file_longer_than_announced_is_not_added_to(shelf: Shelf, hub: FakeHub) -> None:
    hub.faults.append(Fault("model.onnx", "cut", BLOCK + 1000, then=500))
    with pytest.raises(UserError):
        shelf.download(NAME, quiet)
    (part,) = shelf.registry.models.rglob("model.onnx.part")
    part.write_bytes(bytes(2 * BLOCK))
    hub.status = 200
    record = shelf.download(NAME, quiet)
    assert (shelf.registry.place(record) / "model.onnx").read_bytes() == (hub.folder / "model.onnx").read_bytes()


@pytest.mark.parametrize(
    ("status", "words"),
    [(404, "does not have this model"), (401, "accepted its terms"), (403, "accepted its terms"), (503, "cannot be reached")],
)
def test_every_refusal_of_the_hub_is_a_sentence_with_a_next_step(shelf: Shelf, hub: FakeHub, status: int, words: str) -> None:
    hub.status = status
    with pytest.raises(UserError, match=words) as raised:
        shelf.download(NAME, quiet)
    assert raised.value.exit == 3
    assert here(shelf) == []


def test_a_hub_that_is_not_there_is_one_sentence(fresh: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"cannot be reached: .*holovault model add NAME FOLDER") as raised:
        fresh.download(NAME, quiet)
    assert "\n" not in str(raised.value)
    assert here(fresh) == []


def test_an_environment_that_forbids_the_hub_is_obeyed(fresh: Shelf, hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UserError, match="HF_HUB_OFFLINE"):
        fresh.download(NAME, quiet)
    assert hub.headers == []


def test_a_token_of_another_program_is_not_sent(fresh: Shelf, hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "cache" / "huggingface"
    theirs.mkdir(parents=True)
    (theirs / "token").write_text("hf_secret", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    fresh.download(NAME, quiet)
    assert len(hub.headers) > 3
    assert not any("hf_secret" in value for headers in hub.headers for value in headers.values())


def test_a_name_that_fastembed_does_not_know_is_answered_with_the_nearest(shelf: Shelf, hub: FakeHub) -> None:
    with pytest.raises(NotFoundError, match=f"Did you mean {NAME}"):
        shelf.download("sentence-transformers/all-minilm-l6", quiet)
    assert hub.headers == []


def test_two_commands_do_not_fetch_the_same_model(shelf: Shelf, hub: FakeHub) -> None:
    lock = shelf.registry.models / "fastembed" / "sentence-transformers--all-minilm-l6-v2.lock"
    lock.parent.mkdir()
    with FileLock(lock), pytest.raises(BusyError, match="fetching"):
        shelf.download(NAME, quiet)


def test_a_model_that_another_command_has_just_fetched_is_taken_as_it_is(shelf: Shelf, hub: FakeHub, helper: Helper) -> None:
    record = shelf.download(NAME, quiet)
    shelf.registry.drop(NAME)

    def overtaken(request: Request, answer: type[object], timeout: float, look: Callable[[], None] = lambda: None) -> object:
        shelf.registry.put(record)
        return helper(request, answer, timeout, look)

    asked = list(hub.asked)
    assert Shelf(shelf.registry.models, lambda: nullcontext(cast(Helper, overtaken))).download(NAME, quiet) == record
    assert hub.asked == asked


def test_a_model_is_not_removed_under_the_command_that_fetches_it(shelf: Shelf, hub: FakeHub) -> None:
    hub.faults.append(Fault("model.onnx", "cut", BLOCK + 1000, then=500))
    with pytest.raises(UserError, match="cannot be reached"):
        shelf.download(NAME, quiet)
    before = here(shelf)
    lock = shelf.registry.models / "fastembed" / "sentence-transformers--all-minilm-l6-v2.lock"
    with FileLock(lock), pytest.raises(BusyError, match="fetching"):
        shelf.remove(NAME)
    assert here(shelf) == before


def test_a_helper_that_ends_before_its_time_says_what_to_do(tmp_path: Path) -> None:
    with Helper(tmp_path, tmp_path / "logs") as ask, pytest.raises(UserError) as told:
        ask(Look(NAME), Seen, 0.0)
    assert str(told.value).startswith("The helper for models gave no answer within 0 s. Nothing was changed; run the command again.")
    assert str(told.value).endswith(f"look at {tmp_path / 'logs' / 'model-helper.log'}.")


def test_a_disk_without_room_is_told_before_anything_is_fetched(shelf: Shelf, hub: FakeHub) -> None:
    hub.claimed["model.onnx"] = 10**15
    with pytest.raises(DiskError, match="MB left"):
        shelf.download(NAME, quiet)
    assert hub.asked == []


def test_a_folder_that_cannot_be_written_is_named(shelf: Shelf, hub: FakeHub) -> None:
    place = shelf.registry.models / "fastembed"
    place.write_text("somebody's file", encoding="utf-8")
    with pytest.raises(DiskError, match="Look at its permissions") as told:
        shelf.download(NAME, quiet)
    assert str(told.value).startswith(f"{place} cannot be written: ")
    assert hub.asked == []


def test_a_model_that_cannot_be_run_is_not_put_on_the_list(shelf: Shelf, hub: FakeHub, published: Path, tmp_path: Path) -> None:
    hub.folder = tmp_path / "broken"
    shutil.copytree(published, hub.folder)
    (hub.folder / "model.onnx").write_bytes(b"no network at all")
    with pytest.raises(UserError, match="cannot be run here"):
        shelf.download(NAME, quiet)
    assert shelf.registry.all() == {}


def test_removing_takes_files_that_were_fetched_and_interrupted_downloads(shelf: Shelf, hub: FakeHub) -> None:
    shelf.download(NAME, quiet)
    gone = shelf.remove(NAME)
    assert (gone.name, gone.files_kept, gone.megabytes > 10) == (NAME, False, True)
    assert here(shelf) == ["models.json"]
    hub.faults.append(Fault("model.onnx", "cut", BLOCK + 1000, then=500))
    with pytest.raises(UserError):
        shelf.download(NAME, quiet)
    assert shelf.remove(NAME).megabytes >= 10
    assert here(shelf) == ["models.json"]
    with pytest.raises(NotFoundError, match="no model"):
        shelf.remove(NAME)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return make_tiny_model(tmp_path / "own", CORPUS, limit=64, file="onnx/model.onnx")


def test_a_folder_of_ones_own_is_tried_measured_and_left_where_it_is(shelf: Shelf, own: Path) -> None:
    record = shelf.add(Wishes("my/tiny", own, trained=64, query_prefix="ask: ", pooling="cls", licence="mit"))
    assert (record.folder, record.file, record.dimension, record.trained) == (str(own), "onnx/model.onnx", DIMENSION, 64)
    assert (record.query_prefix, record.passage_prefix, record.pooling, record.licence) == ("ask: ", "", "cls", "mit")
    assert Registry(shelf.registry.models).find("MY/TINY") == record
    gone = shelf.remove("my/tiny")
    assert gone.files_kept
    assert (own / "onnx" / "model.onnx").is_file()
    assert shelf.registry.all() == {}


def test_what_the_folder_says_of_itself_need_not_be_said_again(shelf: Shelf, own: Path) -> None:
    (own / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 48, "do_lower_case": False}), encoding="utf-8")
    (own / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 256, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (own / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    record = shelf.add(Wishes("my/tiny", own))
    assert (record.trained, record.pooling) == (48, "cls")


def test_the_trained_length_is_never_above_what_the_tokenizer_reads(shelf: Shelf, own: Path) -> None:
    assert shelf.add(Wishes("my/tiny", own, trained=512)).trained == 64


def test_a_model_of_fastembeds_list_may_come_from_a_folder(shelf: Shelf, own: Path) -> None:
    (own / "onnx" / "model.onnx").rename(own / "model.onnx")
    record = shelf.add(Wishes(NAME.lower(), own))
    assert (record.name, record.pooling, record.trained, record.licence, record.downloaded) == (NAME, "", 64, "apache-2.0", False)


def test_claims_that_are_not_true_are_refused(shelf: Shelf, own: Path, tmp_path: Path) -> None:
    cases: list[tuple[Wishes, type[UserError], str]] = [
        (Wishes("my/tiny", own), UsageError, "--window"),
        (Wishes("my/tiny", own, dimension=999, trained=64), UsageError, f"vectors of {DIMENSION} numbers, not 999"),
        (Wishes("../tiny", own, trained=64), UsageError, "must be the name of a model"),
        (Wishes("my/tiny", tmp_path / "nowhere", trained=64), NotFoundError, "no folder"),
        (Wishes("my/tiny", own, trained=64, file="other.onnx"), NotFoundError, "no file other.onnx"),
        (Wishes("my/tiny", own, trained=64, file="../own/onnx/../../outside.onnx"), NotFoundError, "no file"),
        (Wishes(NAME, own, trained=64), NotFoundError, "no file model.onnx"),
        (Wishes(NAME, own, trained=64, pooling="cls"), UsageError, "leave out --pooling"),
        (Wishes("my/tiny", own, trained=64, query_prefix="river " * 70), UserError, "prefix takes"),
    ]
    for wishes, kind, words in cases:
        with pytest.raises(kind, match=words):
            shelf.add(wishes)
    (own / "tokenizer.json").unlink()
    with pytest.raises(NotFoundError, match=r"no tokenizer\.json"):
        shelf.add(Wishes("my/tiny", own, trained=64))
    assert shelf.registry.all() == {}


def test_a_folder_with_several_networks_asks_which(shelf: Shelf, own: Path) -> None:
    shutil.copy(own / "onnx" / "model.onnx", own / "first.onnx")
    shutil.copy(own / "onnx" / "model.onnx", own / "model.onnx")
    with pytest.raises(UsageError, match="--file"):
        shelf.add(Wishes("my/tiny", own, trained=64))
    assert shelf.add(Wishes("my/tiny", own, trained=64, file="first.onnx")).file == "first.onnx"


def test_a_model_that_reads_fewer_tokens_than_said_fails_when_it_is_added(shelf: Shelf, own: Path) -> None:
    (own / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512, "pad_token": "[PAD]"}), encoding="utf-8")
    with pytest.raises(UserError, match="cannot be run here"):
        shelf.add(Wishes("my/tiny", own, trained=512))


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_what_is_fetched_is_for_this_person_only(shelf: Shelf, hub: FakeHub) -> None:
    record = shelf.download(NAME, quiet)
    assert shelf.registry.place(record).stat().st_mode & 0o077 == 0
    assert (shelf.registry.models / "models.json").stat().st_mode & 0o077 == 0
