"""`holovault model` as a process: the list, choosing, fetching from a hub on this machine, a folder of one's own, and every refusal."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from holovault.config import Confirmed, Home, load_config, trust, trusted
from holovault.embed.registry import Registry
from tests.support.engines import found, indexed_engine, open_engine
from tests.support.fake_hub import FakeHub, Fault, fake_hub
from tests.support.shell import Ended, Shell
from tests.support.tiny_model import DIMENSION, make_tiny_model
from tests.support.vaults import VaultFolder, make_vault

NAME = "sentence-transformers/all-MiniLM-L6-v2"
DEFAULT = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
NOWHERE = "http://127.0.0.1:9"
BLOCK = 10 * 1024 * 1024
NOTES: dict[str, str | bytes] = {"River.md": "The river took the old bridge.\n", "Bread.md": "Flour, water and patience make a loaf.\n"}
CONFIG = '# my settings\n[search]\nlimit = 5   # few\n\n[embedding] # the model\nprovider = "bundled"  # comes along\nwindow = 100\n'


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return make_vault(tmp_path / "vault", NOTES, CONFIG)


@pytest.fixture
def shell(tmp_path: Path, vault: VaultFolder) -> Shell:
    return Shell(tmp_path / "home", vault.root)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("hub"), map(str, NOTES.values()), limit=256, ballast=11_500)


@pytest.fixture
def hub(published: Path) -> Iterator[FakeHub]:
    with fake_hub(published) as served:
        yield served


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return make_tiny_model(tmp_path / "own", map(str, NOTES.values()), limit=64)


def model(shell: Shell, *arguments: str, endpoint: str = NOWHERE) -> Ended:
    """`holovault model …` with a hub of the test's own, nobody's by default."""
    return shell.run("model", *arguments, HF_ENDPOINT=endpoint, NO_PROXY="127.0.0.1", HF_HUB_OFFLINE="0")


def knowledge(vault: VaultFolder) -> str:
    return vault.at("knowledge.toml").read_bytes().decode("utf-8")


@pytest.mark.parametrize("command", ["list", "use", "download", "add", "remove"])
def test_every_command_has_help_and_json(shell: Shell, command: str) -> None:
    ended = shell.run("model", command, "--help", COLUMNS="200")
    assert ended.code == 0
    assert "--json" in ended.out


def test_the_list_names_providers_and_models_and_marks_the_one_in_use(shell: Shell) -> None:
    ended = model(shell, "list")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert [line for line in lines if line.startswith("*")] == [next(line for line in lines if "use-multilingual-v3" in line)]
    for part in ("provider", "licence", DEFAULT, "128", "apache-2.0", "multilingual-e5-small", "none"):
        assert part in ended.out
    rows = {row["name"]: row for row in msgspec.json.decode(model(shell, "list", "--json").out)}
    assert rows[DEFAULT]["dimension"] == 384
    assert (rows[DEFAULT]["trained"], rows[DEFAULT]["state"], rows[DEFAULT]["in_use"]) == (128, "absent", False)
    assert rows["use-multilingual-v3"]["in_use"]


def test_the_list_needs_no_vault(shell: Shell, tmp_path: Path) -> None:
    ended = model(Shell(shell.home, tmp_path), "list")
    assert ended.code == 0
    assert "*" not in ended.out
    assert model(shell, "list", "--vault", str(tmp_path / "nowhere")).code == 3


def test_a_model_without_download_is_chosen_in_place(shell: Shell, vault: VaultFolder) -> None:
    ended = model(shell, "use", "none")
    assert ended.code == 0
    assert "knowledge.toml now names none" in ended.out
    assert knowledge(vault) == CONFIG.replace('"bundled"', '"none"')
    assert "already" in model(shell, "use", "none").out
    used = msgspec.json.decode(model(shell, "use", "use-multilingual-v3", "--json").out)
    assert (used["provider"], used["model"], used["changed"], used["file"]) == ("bundled", None, True, str(vault.at("knowledge.toml")))
    assert knowledge(vault) == CONFIG


def test_a_vault_without_settings_gets_them(shell: Shell, vault: VaultFolder) -> None:
    vault.delete("knowledge.toml")
    (vault.root / ".obsidian").mkdir()
    assert model(shell, "use", "none").code == 0
    assert knowledge(vault) == '[embedding]\nprovider = "none"\n'


def test_a_hub_out_of_reach_is_one_sentence_and_the_old_model_stays(shell: Shell, vault: VaultFolder) -> None:
    ended = model(shell, "use", "fastembed")
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith("ERROR: The model hub")
    assert "cannot be reached" in ended.err
    assert ended.err.count("\n") == 1
    assert knowledge(vault) == CONFIG
    with open_engine(vault.root, shell.home) as engine:
        assert engine.status().model.name == "use-multilingual-v3"


def test_a_folder_of_ones_own_is_added_chosen_and_searched(shell: Shell, vault: VaultFolder, own: Path) -> None:
    ended = model(shell, "add", "my/tiny", str(own), "--window", "64", "--pooling", "mean", "--query-prefix", "the ", "--licence", "mit")
    assert (ended.code, ended.err) == (0, "")
    assert "64 tokens" in ended.out
    assert knowledge(vault) == CONFIG, "adding is for the machine, not for a vault"
    assert model(shell, "use", "MY/tiny").code == 0
    assert knowledge(vault) == CONFIG.replace('"bundled"  # comes along', '"fastembed"  # comes along\nmodel = "my/tiny"')
    with indexed_engine(vault.root, shell.home) as engine:
        assert found(engine, "which bridge did the river take", "semantic")[0] == "River.md"
        assert engine.status().model.dimension == DIMENSION
    rows = {row["name"]: row for row in msgspec.json.decode(model(shell, "list", "--json").out)}
    assert (rows["my/tiny"]["in_use"], rows["my/tiny"]["state"], rows["my/tiny"]["folder"]) == (True, "here", str(own))


def test_a_model_in_use_is_not_removed_unasked(shell: Shell, vault: VaultFolder, own: Path) -> None:
    model(shell, "add", "my/tiny", str(own), "--window", "64")
    model(shell, "use", "my/tiny")
    with open_engine(vault.root, shell.home):
        pass  # from now on the home knows the vault
    ended = model(shell, "remove", "my/tiny")
    assert ended.code == 2
    assert str(vault.root) in ended.err
    assert "holovault model use bundled" in ended.err
    gone = model(shell, "remove", "my/tiny", "--force")
    assert gone.code == 0
    assert "untouched" in gone.out
    assert (own / "model.onnx").is_file()
    assert model(shell, "remove", "my/tiny").code == 3


def test_a_model_that_is_there_is_not_fetched_again(shell: Shell, hub: FakeHub) -> None:
    ended = model(shell, "download", NAME, "--json", endpoint=hub.address)
    row = msgspec.json.decode(ended.out)
    assert (ended.code, row["name"], row["state"], row["dimension"]) == (0, NAME, "here", DIMENSION)
    again = model(shell, "download", NAME, endpoint=NOWHERE)
    assert again.code == 0
    assert "holovault model use" in again.out


def test_using_a_model_fetches_it_and_gives_it_the_memory_it_needs(shell: Shell, vault: VaultFolder, hub: FakeHub) -> None:
    vault.config(CONFIG + "memory_mb = 64\n")
    ended = model(shell, "use", NAME, endpoint=hub.address)
    assert ended.code == 0
    assert "more memory" in ended.out
    assert "holovault service install --vault" in ended.out, "the service's own limit would end the model"
    config = load_config(knowledge(vault), "knowledge.toml").embedding
    assert (config.provider, config.model, config.window) == ("fastembed", NAME, 100)
    record = Registry(Home(shell.home).models).find(NAME)
    assert record is not None
    assert config.memory_mb >= 1.5 * record.memory_mb
    assert "# comes along" in knowledge(vault)


def test_a_download_that_was_killed_goes_on_and_stays_off_the_list_until_it_is_whole(shell: Shell, hub: FakeHub) -> None:
    hub.faults.append(Fault("model.onnx", "stall", BLOCK + 1000))
    environment = shell.environment(HF_ENDPOINT=hub.address, NO_PROXY="127.0.0.1", HF_HUB_OFFLINE="0")
    command = [sys.executable, "-m", "holovault.cli", "model", "download", NAME]
    with subprocess.Popen(command, cwd=shell.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        assert hub.stalled.wait(30)
        process.kill()
        process.wait(20)
    hub.release.set()
    rows = {row["name"]: row for row in msgspec.json.decode(model(shell, "list", "--json").out)}
    assert (rows[NAME]["state"], rows[NAME]["in_use"]) == ("started", False)
    assert model(shell, "download", NAME, endpoint=hub.address).code == 0
    (weights,) = Home(shell.home).models.rglob("model.onnx")
    assert weights.read_bytes() == (hub.folder / "model.onnx").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C reaches a Windows process by its console only")
def test_a_download_shows_how_far_it_is_and_ends_at_ctrl_c_with_130(shell: Shell, hub: FakeHub) -> None:
    import signal

    hub.faults.append(Fault("model.onnx", "stall", BLOCK + 1000))
    environment = shell.environment(HF_ENDPOINT=hub.address, NO_PROXY="127.0.0.1", HF_HUB_OFFLINE="0")
    command = [sys.executable, "-m", "holovault.cli", "model", "download", NAME]
    with subprocess.Popen(
        command, cwd=shell.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stderr is not None
        assert any("megabytes: 10 of 1" in line for line in process.stderr), "the bar comes while the bytes do"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("use", "nobody/knows-it"), 3, "fastembed has no model nobody/knows-it"),
        (("download", "sentence-transformers/all-minilm-l6"), 3, f"Did you mean {NAME}?"),
        (("use", "bundled", "--base-url", "https://a.example/v1"), 2, "are for: holovault model use openai"),
        (("use", "openai"), 2, "Say --base-url"),
        (("use", "openai", "--base-url", "https://a.example/v1"), 2, "Say --model"),
        (("use", "openai", "--base-url", "ftp://a.example/v1", "--model", "m"), 2, "An address looks like https://"),
        (("use", "openai", "--base-url", "https://a.example/v1", "--model", "m"), 2, "Say --dimensions"),
        (("add", "my/tiny", "nowhere", "--window", "64"), 3, "no folder"),
        (("remove", "nobody/knows-it"), 3, "no model"),
    ],
)
def test_what_cannot_be_done_says_why_and_changes_nothing(
    shell: Shell, vault: VaultFolder, arguments: tuple[str, ...], code: int, words: str
) -> None:
    ended = model(shell, *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert words in ended.err
    assert "Traceback" not in ended.err
    assert knowledge(vault) == CONFIG


def test_broken_settings_are_told_before_anything_is_fetched(shell: Shell, vault: VaultFolder, hub: FakeHub) -> None:
    vault.config("[embedding]\nprovider = 'magic'\n")
    ended = model(shell, "use", NAME, endpoint=hub.address)
    assert ended.code == 2
    assert "knowledge.toml line 2" in ended.err
    assert hub.headers == []


def test_a_service_is_confirmed_by_naming_its_address(shell: Shell, vault: VaultFolder) -> None:
    address = "https://vectors.example/v1"
    ended = model(shell, "use", "openai", "--base-url", address, "--model", "text-embedding-3-small", "--api-key-env", "MY_KEY")
    assert ended.code == 0, ended.err
    config = load_config(knowledge(vault), "knowledge.toml").embedding
    assert (config.provider, config.model, config.base_url, config.api_key_env) == ("openai", "text-embedding-3-small", address, "MY_KEY")
    assert trusted(Home(shell.home)) == (Confirmed(address, "MY_KEY"),)
    assert "openai" in model(shell, "list").out


def test_a_key_in_place_of_its_name_is_refused_and_kept_nowhere(shell: Shell, vault: VaultFolder) -> None:
    service = ("--base-url", "https://vectors.example/v1", "--model", "text-embedding-3-small")
    ended = model(shell, "use", "openai", *service, "--api-key-env", "sk-do-not-keep-me")
    assert ended.code == 2
    assert "not the key itself" in ended.err
    assert "sk-do-not-keep-me" not in ended.err + ended.out
    kept = [path for path in shell.home.rglob("*") if path.is_file() and b"sk-do-not-keep-me" in path.read_bytes()]
    assert (kept, trusted(Home(shell.home)), knowledge(vault)) == ([], (), CONFIG)


def test_an_address_that_came_with_the_vault_is_confirmed_on_purpose_only(shell: Shell, vault: VaultFolder) -> None:
    text = '[embedding]\nprovider = "openai"\nmodel = "m"\nbase_url = "https://theirs.example/v1"\ndimensions = 8\n'
    vault.config(text)
    ended = model(shell, "use", "openai")
    assert ended.code == 2
    assert "https://theirs.example/v1" in ended.err
    assert trusted(Home(shell.home)) == ()
    assert model(shell, "use", "openai", "--yes").code == 0
    assert trusted(Home(shell.home)) == (Confirmed("https://theirs.example/v1"),)
    assert knowledge(vault) == text


def test_a_key_that_the_vault_asks_for_is_confirmed_on_purpose_only(shell: Shell, vault: VaultFolder) -> None:
    address = "https://vectors.example/v1"
    vault.config(f'[embedding]\nprovider = "openai"\nmodel = "m"\nbase_url = "{address}"\ndimensions = 8\napi_key_env = "ANOTHER_SECRET"\n')
    trust(Home(shell.home), address, "MY_KEY")
    for typed in ([], ["--base-url", address]):
        ended = model(shell, "use", "openai", *typed)
        assert ended.code == 2
        assert f"ANOTHER_SECRET would be sent to {address}" in ended.err
    assert trusted(Home(shell.home)) == (Confirmed(address, "MY_KEY"),)
    assert model(shell, "use", "openai", "--base-url", address, "--api-key-env", "MY_KEY").code == 0


def test_coming_back_from_a_service_leaves_no_setting_that_would_be_wrong(shell: Shell, vault: VaultFolder) -> None:
    vault.config(
        '[embedding]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:1/v1"\ndimensions = 8\nquery_prefix = "q: "\n'
    )
    assert model(shell, "use", "bundled").code == 0
    assert knowledge(vault) == '[embedding]\nprovider = "bundled"\nbase_url = "http://127.0.0.1:1/v1"\n'


@pytest.mark.skipif(os.name != "posix", reason="links need a right on Windows")
def test_settings_that_are_a_link_out_of_the_vault_are_not_written(shell: Shell, vault: VaultFolder, tmp_path: Path) -> None:
    outside = tmp_path / "dotfiles.toml"
    outside.write_text(CONFIG, encoding="utf-8")
    vault.delete("knowledge.toml")
    vault.at("knowledge.toml").symlink_to(outside)
    ended = model(shell, "use", "none")
    assert ended.code == 2
    assert "leads out of the vault" in ended.err
    assert outside.read_text(encoding="utf-8") == CONFIG


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_the_settings_keep_their_mode_and_nothing_is_left_beside_them(shell: Shell, vault: VaultFolder) -> None:
    vault.at("knowledge.toml").chmod(0o640)
    assert model(shell, "use", "none").code == 0
    assert vault.at("knowledge.toml").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in vault.root.iterdir()) == ["Bread.md", "River.md", "knowledge.toml"]
