"""Memory is bounded by the importer, not by the export: measured in a process of its own."""

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.support.exports import write_large

MEGABYTES = 20
ROOM = 48
"""MB above a process that has imported a chat of three lines; the whole export as values would take 100 and more."""

SCRIPT = """
import sys
from pathlib import Path
import psutil
from tests.support.exports import imported, write_large

process = psutil.Process()
vault, small, large = map(Path, sys.argv[1:])
imported(vault, small, dry_run=True)
before = process.memory_info().rss
most = 0

def look():
    global most
    most = max(most, process.memory_info().rss)
    return False

report = imported(vault, large, dry_run=True, stopped=look)
print((most - before) >> 20, report.new)
"""


def test_a_zip_of_many_megabytes_takes_a_few(tmp_path: Path) -> None:
    large = write_large(tmp_path / "conversations.json", MEGABYTES, escaped=False)
    packed = tmp_path / "data.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(large, "conversations.json")
    small = write_large(tmp_path / "small.json", 0)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "vault"), str(small), str(packed)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=240)
    grown, chats = map(int, done.stdout.split())
    assert chats > 40
    assert grown < ROOM
