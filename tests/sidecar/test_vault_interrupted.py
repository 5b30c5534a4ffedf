"""Killed, or overtaken by a hand edit, between any two system calls of a write: nothing is lost, half written or left lying around."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.vault_files import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="fork and kill -9 are calls of POSIX")

FEWEST = {"replace": 50, "create": 30, "change": 55}


def interrupted(folder: Path, *jobs: str) -> None:
    """Every job had enough rounds, and nothing was wrong after any."""
    command = [sys.executable, "-m", "tests.support.interrupted", str(folder), *jobs]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=240, check=True)
    done = json.loads(ended.stdout)
    assert [(job, wrong) for job, (_, wrong) in zip(jobs, done, strict=True)] == [(job, []) for job in jobs]
    assert all(rounds > FEWEST[job.partition(":")[0]] for job, (rounds, _) in zip(jobs, done, strict=True))


def test_a_writer_killed_between_any_two_calls_leaves_a_whole_note_and_what_it_acknowledged(tmp_path: Path) -> None:
    interrupted(tmp_path, "replace:system:kill", "change:system:kill", "create:system:kill", "replace:plain:kill", "create:plain:kill")


@pytest.mark.skipif(
    sys.platform not in ("linux", "darwin"),
    reason="without an exchange in one call a foreign rename can slip through",
)
def test_a_hand_edit_between_any_two_calls_is_still_in_the_vault(tmp_path: Path) -> None:
    interrupted(tmp_path, "replace:system:in-place", "replace:system:replaced", "change:system:replaced", "replace:system:replaced+kill")
