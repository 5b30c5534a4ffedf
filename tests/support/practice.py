"""A person with a vault who runs `holovault doctor`: real processes, real daemons, reports read back as values."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from holovault.config import Home, vault_key
from holovault.doctor import Check, Report
from tests.support.shell import Ended, Shell
from tests.support.vaults import VaultFolder

NOTES = {
    "a.md": "# Garden\nThe wheelbarrow stands behind the shed, see [[b]].\n",
    "b.md": "# Kitchen\nThe kettle leaks at its spout.\n",
    "deep/c.md": "---\ntitle: A quincunx\n---\nThe ladder is borrowed.\n",
}
SECRET_WORDS = ("wheelbarrow", "kettle", "quincunx", "ladder")
PROXIES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "REQUEST_METHOD")


@dataclass(frozen=True, slots=True)
class Visit:
    """One run of the doctor: how it ended and what it reported."""

    ended: Ended
    report: Report

    def named(self, name: str) -> list[Check]:
        """The lines of this name; there is at least one."""
        found = [check for check in self.report.checks if check.name == name]
        assert found, f"no line {name!r} in {self.report}"
        return found

    def one(self, name: str) -> Check:
        """The only line of this name."""
        (check,) = self.named(name)
        return check

    def troubles(self) -> list[str]:
        """Names of the lines that are not ok."""
        return [check.name for check in self.report.checks if check.state != "ok"]


@dataclass(frozen=True, slots=True)
class Practice:
    """`vault` and the home of `shell` belong to the test."""

    vault: VaultFolder
    shell: Shell

    @property
    def home(self) -> Home:
        """The home that the commands use."""
        return Home(self.shell.home)

    @property
    def database(self) -> Path:
        """The file of the vault's index."""
        return self.shell.home / "index" / vault_key(self.vault.root) / "index.db"

    @property
    def run_file(self) -> Path:
        """The run file of the vault's daemon."""
        return self.shell.home / "run" / f"{vault_key(self.vault.root)}.json"

    def up(self, **environment: str) -> None:
        """Starts the vault's daemon with this environment."""
        ended = self.shell.run("up", **environment)
        assert ended.code == 0, ended

    def visit(self, *options: str, **environment: str) -> Visit:
        """Runs `holovault doctor`, as a process of its own where it is given an environment; its exit status is what the report says."""
        asked = ("doctor", "--json", "--vault", str(self.vault.root), *options)
        ended = self.shell.run(*asked, **environment) if environment else self.shell.here(*asked)
        assert ended.code in (0, 1), ended
        report = msgspec.json.decode(ended.out, type=Report)
        assert (ended.code == 1) is (report.state == "problem"), ended
        assert (report.state == "problem") is any(check.state == "problem" for check in report.checks)
        return Visit(ended, report)
