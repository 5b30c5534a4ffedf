"""What agents are told about a vault in their own files: idempotent, removable, and not a byte of anybody else's touched."""

import json
import stat
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.config import AgentPlaces, Home
from holovault.errors import UsageError
from holovault.setup.agents import Agents, AgentsReport, Wanted, jsontext, texts, tomltext
from holovault.setup.agents import block as blocks
from tests.support.shell import Shell
from tests.support.vaults import make_vault

ENTRY = {"command": "python", "args": ["-m", "holovault.cli", "mcp", "--vault", "/Мой vault"]}
MARKDOWN = ("", "# Mine\n", "# Mine\r\n\r\nold\r\n", "no end of line", "# Mine\n\n\n")
JSON = (
    "{}",
    '{"mcpServers": {}, "a": 1}',
    '{\n    "a": [1, {"b": "}"}],\n    "mcpServers": {\n        "x": {"command": "y"}\n    }\n}\n',
    '{\r\n\t"mcpServers": {\r\n\t\t"x": {"command": "\\u0434\\"{"}\r\n\t},\r\n\t"z": null\r\n}\r\n',
    '\ufeff{"other":{"deep":{}}}',
)
TOML = ("", "# mine\nmodel = 'x' # why\n", '[mcp_servers.other]\ncommand = "y"\n\n[profiles.a]\nb = 1\n')


@pytest.mark.parametrize("text", MARKDOWN)
def test_a_block_comes_once_follows_the_line_ends_and_goes_without_a_trace(text: str) -> None:
    once = blocks.with_block(text, "k1", "first\nsecond\n", "A.md")
    assert blocks.with_block(once, "k1", "first\nsecond\n", "A.md") == once
    assert once.startswith(text) and ("\r\n" in text) == ("first\r\nsecond" in once)
    both = blocks.with_block(once, "k2", "other vault", "A.md")
    assert blocks.without_block(blocks.without_block(both, "k1", "A.md"), "k2", "A.md").rstrip() == text.rstrip()
    grown = once + "after\n"
    changed = blocks.with_block(grown, "k1", "third", "A.md")
    assert changed.startswith(text) and changed.endswith("after\n") and "first" not in changed


def test_marks_that_do_not_pair_up_are_refused() -> None:
    once = blocks.with_block("# Mine\n", "k1", "words", "A.md")
    for broken in (once.replace("<!-- holovault:end k1 -->", ""), once + once, "<!-- holovault:end k1 -->\n" + once):
        with pytest.raises(UsageError, match=r"A\.md"):
            blocks.with_block(broken, "k1", "words", "A.md")
        with pytest.raises(UsageError, match=r"A\.md"):
            blocks.without_block(broken, "k1", "A.md")


@pytest.mark.parametrize("text", JSON)
def test_an_entry_comes_into_json_and_goes_and_nothing_else_changes(text: str) -> None:
    once = jsontext.with_entry(text, "mcpServers", "holovault", ENTRY)
    assert jsontext.with_entry(once, "mcpServers", "holovault", ENTRY) == once
    assert jsontext.entries(once, "mcpServers")["holovault"] == ENTRY
    untouched = [line for line in text.splitlines() if len(line) > 20]
    assert all(line.rstrip(",") in once for line in untouched[1:])
    before = json.loads(text.removeprefix("\ufeff"))
    gone = jsontext.without_entry(once, "mcpServers", "holovault")
    after = json.loads(gone.removeprefix("\ufeff") or "{}")
    assert {**after, "mcpServers": after.get("mcpServers", {})} == {**before, "mcpServers": before.get("mcpServers", {})}
    if '"x"' in text:
        assert gone == text


@given(
    st.dictionaries(st.text(max_size=5), st.recursive(st.none() | st.integers() | st.text(max_size=6), st.lists, max_leaves=4), max_size=4)
)
def test_any_other_settings_survive_an_entry(settings: dict[str, object]) -> None:
    settings.pop("servers", None)
    for text in (json.dumps(settings), json.dumps(settings, indent=4, ensure_ascii=False)):
        once = jsontext.with_entry(text, "servers", "holovault", ENTRY)
        assert json.loads(once) == {**settings, "servers": {"holovault": ENTRY}}
        assert json.loads(jsontext.without_entry(once, "servers", "holovault") or "{}") == settings


@pytest.mark.parametrize(
    "text", ["// mine\n{}", '{"mcpServers": {},}', "[]", '{"mcpServers": []}', '{"mcpServers": {}, "mcpServers": {}}', "{"]
)
def test_json_that_is_not_plain_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        jsontext.with_entry(text, "mcpServers", "holovault", ENTRY)


@pytest.mark.parametrize("text", TOML)
def test_an_entry_comes_into_toml_and_goes_and_nothing_else_changes(text: str) -> None:
    once = tomltext.with_entry(text, "mcp_servers", "holovault", ENTRY)
    assert tomltext.with_entry(once, "mcp_servers", "holovault", ENTRY) == once
    assert tomllib.loads(once)["mcp_servers"]["holovault"] == ENTRY
    assert all(line in once for line in text.splitlines())
    assert tomllib.loads(tomltext.without_entry(once, "mcp_servers", "holovault")) == tomllib.loads(text)


class _Person:
    """A person with agents, a project and a vault."""

    def __init__(self, tmp_path: Path) -> None:
        self.home = tmp_path / "person"
        self.project = tmp_path / "project"
        self.project.mkdir(parents=True)
        self.places = AgentPlaces(self.home, self.home / ".codex", self.home / "settings", self.home / "oc")
        for folder in (".claude", ".codex", ".cursor", "settings/Code", "settings/Claude", "oc"):
            (self.home / folder).mkdir(parents=True)
        vault = make_vault(tmp_path / "Мой vault", {}).root
        self.agents = Agents(vault, "Обо мне.md", Home(tmp_path / "hh"), self.home / ".holovault", self.places, "/usr/bin/python3")

    def files(self) -> dict[str, bytes]:
        roots = (self.home, self.project)
        return {str(path): path.read_bytes() for root in roots for path in sorted(root.rglob("*")) if path.is_file()}


def _changes(report: AgentsReport) -> set[str]:
    return {place.change for place in report.places}


@pytest.mark.parametrize("everywhere", [False, True])
def test_installing_twice_is_installing_once_and_uninstalling_leaves_what_was_there(tmp_path: Path, everywhere: bool) -> None:
    person = _Person(tmp_path)
    mine = {".claude.json": '{"numStartups": 7}', ".codex/AGENTS.md": "# My rules\n", ".codex/config.toml": 'model = "x"\n'}
    for name, text in mine.items():
        (person.home / name).write_text(text, "utf-8")
    before = person.files()
    wanted = Wanted(None if everywhere else person.project, write=True)
    assert _changes(person.agents.install(Wanted(wanted.project, True, dry_run=True))) <= {"written", "replaced"}
    assert person.files() == before
    done = person.agents.install(wanted)
    assert done.done and len(done.places) == (11 if everywhere else 8)
    installed = person.files()
    assert _changes(person.agents.install(wanted)) == {"same"} and person.files() == installed
    assert person.agents.uninstall(wanted).done
    assert person.files() == before


def test_every_agent_gets_the_server_in_its_own_words(tmp_path: Path) -> None:
    person = _Person(tmp_path)
    person.agents.install(Wanted(person.project, write=True))
    arguments = ["-P", "-m", "holovault.cli", "mcp", "--vault", str(person.agents.root)]
    told = {"HOLOVAULT_HOME": str(person.agents.home.root)}

    def read(name: str) -> dict[str, dict[str, dict[str, object]]]:
        text = (person.project / name).read_text("utf-8")
        return tomllib.loads(text) if name.endswith("toml") else json.loads(text)

    plain = {"command": "/usr/bin/python3", "args": arguments, "env": told}
    assert read(".mcp.json")["mcpServers"]["holovault"] == {"type": "stdio", **plain}
    assert read(".cursor/mcp.json")["mcpServers"]["holovault"] == plain
    assert read(".vscode/mcp.json")["servers"]["holovault"] == {"type": "stdio", **plain}
    assert read(".codex/config.toml")["mcp_servers"]["holovault"] == {**plain, "startup_timeout_sec": 20}
    opencode = read("opencode.json")["mcp"]["holovault"]
    assert (opencode["type"], opencode["command"], opencode["environment"]) == ("local", ["/usr/bin/python3", *arguments], told)


def test_a_second_vault_stands_beside_the_first(tmp_path: Path) -> None:
    person = _Person(tmp_path)
    second = Agents(make_vault(tmp_path / "other", {}).root, "p.md", person.agents.home, person.home, person.places, "python")
    wanted = Wanted(person.project, write=True, only=("claude-code",))
    for agents in (person.agents, second, person.agents):
        assert agents.install(wanted).done
    names = json.loads((person.project / ".mcp.json").read_text("utf-8"))["mcpServers"]
    assert len(names) == 2 and "holovault" in names
    second.uninstall(wanted)
    assert list(json.loads((person.project / ".mcp.json").read_text("utf-8"))["mcpServers"]) == ["holovault"]
    assert "Мой vault" in (person.project / "AGENTS.md").read_text("utf-8")


def test_what_is_not_understood_or_was_edited_by_hand_is_left_alone_and_named(tmp_path: Path) -> None:
    person = _Person(tmp_path)
    person.agents.install(Wanted(person.project, write=True))
    skill = person.project / ".claude" / "skills" / "knowledge-first" / "SKILL.md"
    skill.write_text(skill.read_text("utf-8") + "my own line\n", "utf-8")
    (person.project / ".vscode" / "mcp.json").write_text('// mine\n{"servers": {}}', "utf-8")
    (person.project / ".codex" / "config.toml").write_bytes(b"\xff\xfe")
    before = person.files()
    for report in (
        person.agents.install(Wanted(person.project, write=True)),
        person.agents.uninstall(Wanted(person.project, dry_run=True)),
    ):
        refused = {Path(place.file).name: place.problem or "" for place in report.places if place.change == "refused"}
        assert set(refused) == {"SKILL.md", "mcp.json", "config.toml"}
        assert all("left alone" in problem for problem in refused.values())
        assert not report.done
    assert person.files() == before


@pytest.mark.skipif(sys.platform == "win32", reason="what Windows is told")
def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    person = _Person(tmp_path)
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    real.chmod(0o600)
    (person.home / ".claude.json").symlink_to(real)
    person.agents.install(Wanted(None, write=True, only=("claude-code",)))
    assert (person.home / ".claude.json").is_symlink()
    assert "holovault" in real.read_text("utf-8") and stat.S_IMODE(real.stat().st_mode) == 0o600


def test_the_texts_name_the_real_tools_and_the_configured_profile(tmp_path: Path) -> None:
    person = _Person(tmp_path)
    person.agents.install(Wanted(person.project))
    for name in ("AGENTS.md", ".claude/skills/knowledge-first/SKILL.md", ".agents/skills/knowledge-first/SKILL.md"):
        text = (person.project / name).read_text("utf-8")
        assert "`Обо мне.md`" in text
        assert all(f"`{tool}`" in text for tool in ("search", "read", "write"))
    assert not (person.project / ".mcp.json").exists()


def test_a_name_from_a_strange_vault_stays_a_name(tmp_path: Path) -> None:
    for text in (texts.block('x"\n# Obey', "a`\n<!-- holovault:end k -->.md"), texts.skill("a`\n\n# Obey.md")):
        assert "\n# Obey" not in text and "holovault:end k -->" not in text
    assert texts.is_ours(texts.skill("Me.md")) and not texts.is_ours(texts.skill("Me.md").replace("Me.md", "You.md"))


def test_the_command_prints_entries_and_says_what_it_did(tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault", {}, '[memory]\nprofile = "Me.md"\n[embedding]\nprovider = "none"\n').root
    (tmp_path / "person").mkdir()
    (tmp_path / "AGENTS.md").write_text("# Mine\n", "utf-8")
    shell = Shell(tmp_path / "home", tmp_path)
    where = {
        "HOME": str(tmp_path / "person"),
        "USERPROFILE": str(tmp_path / "person"),
        "XDG_CONFIG_HOME": "",
        "APPDATA": "",
        "CODEX_HOME": "",
    }
    ended = shell.run("agents", "install", "--vault", str(vault), "--agent", "codex", **where)
    assert (ended.code, ended.err) == (0, "")
    assert "[mcp_servers.holovault]" in ended.out and "AGENTS.md changed, where it is ours" in ended.out
    assert "Me.md" in (tmp_path / "AGENTS.md").read_text("utf-8")
    report = json.loads(shell.run("agents", "uninstall", "--vault", str(vault), "--json", **where).out)
    assert [place["change"] for place in report["places"]][:3] == ["removed"] * 3
    assert (tmp_path / "AGENTS.md").read_text("utf-8") == "# Mine\n"
    assert shell.run("agents", "install", "--vault", str(vault), "--global", "--project", ".", **where).code == 2
