"""A real headless Chromium for tests of pages.

Owns where the browser is found and how it is started: offline, without a profile. `CHROME` names one; else it is Chromium or Chrome
from the PATH. A machine without any fails its tests with the next step, it does not skip them.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run")


def chromium() -> str:
    """The browser's path."""
    found = os.environ.get("CHROME") or next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found, "no Chromium is here: on Debian `make test` installs it as root; elsewhere set CHROME=/path/to/chrome"
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """A running browser; each `new_context()` of it is a person of its own."""
    # Chromium refuses its sandbox to root, which build machines are.
    root = sys.platform != "win32" and os.geteuid() == 0
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=[*QUIET, *(["--no-sandbox"] if root else [])])
        try:
            yield running
        finally:
            running.close()


def width_of(page: Page) -> int:
    """How wide the page's content is, in CSS pixels: more than the window's means that it scrolls sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth"))
