"""Fixtures for every test: a home of its own, and Hypothesis profiles."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before a test imports it: onnxruntime would report its use to its makers.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

settings.register_profile("default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fuzz", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", deadline=None, max_examples=500, suppress_health_check=[HealthCheck.too_slow])
# A build machine tries the same examples each time: new ones are looked for by `make fuzz` and `make soak`.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") == "true" else "default"))


@pytest.fixture(autouse=True)
def _home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees or changes the person's own ~/.holovault."""
    home = tmp_path_factory.mktemp("holovault-home")
    monkeypatch.setenv("HOLOVAULT_HOME", str(home))
    return home


LEFT_OUT = {"what Windows is told", "no systemd of this user runs here; the supervisor of the tests stands in for it"}
"""Skips that a build machine may have: another system's words, and a second proof of what is proven without. Any other fails its run."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that need measuring data run only where HOLOVAULT_DATA names some; elsewhere they are deselected, not skipped."""
    if os.environ.get("HOLOVAULT_DATA"):
        return
    without = [item for item in items if item.get_closest_marker("data")]
    if without:
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if not item.get_closest_marker("data")]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Under CI=true an unexpected skip is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or reporter is None:
        return
    skipped = [str(report.longrepr[-1]).removeprefix("Skipped: ") for report in reporter.stats.get("skipped", ())]
    unexpected = sorted(set(skipped) - LEFT_OUT)
    if unexpected:
        reporter.write_line(f"CI=true and skipped: {'; '.join(unexpected)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
