"""Hearing about changes: file system events as vault-relative paths.

Owns the watchdog observer and what an event means (a note changed, or a folder did and everything
must be looked at). Must not read files or touch the index; it only reports.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from watchdog.events import (
    DirModifiedEvent,
    FileClosedNoWriteEvent,
    FileOpenedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

_log = logging.getLogger(__name__)

POLL_S = 5.0


class Listener(Protocol):
    """Who is told: both calls come from the observer's thread and must return at once."""

    def changed(self, path: str) -> None:
        """A note file was written, created, moved or removed."""

    def rescan(self) -> None:
        """Something bigger happened (a folder moved, a rule changed): compare everything."""


class _Handler(FileSystemEventHandler):
    def __init__(self, note_path: Callable[[str], str | None], listener: Listener) -> None:
        self._note_path = note_path
        self._listener = listener

    def on_any_event(self, event: FileSystemEvent) -> None:
        if isinstance(event, (FileOpenedEvent, FileClosedNoWriteEvent, DirModifiedEvent)):
            return
        for raw in (event.src_path, event.dest_path):
            if raw:
                self._report(os.fsdecode(raw), event.is_directory)

    def _report(self, raw: str, is_directory: bool) -> None:
        path = self._note_path(raw)
        if path is None:
            return
        if is_directory or path in ("knowledge.toml", ".obsidian/app.json"):
            self._listener.rescan()
        elif path.lower().endswith(".md"):
            self._listener.changed(path)


class Watcher:
    """Watches one folder tree until stopped. `state` says how: native, polling or off."""

    def __init__(self, root: Path, note_path: Callable[[str], str | None], listener: Listener, polling: bool = False) -> None:
        self._root = root
        self._handler = _Handler(note_path, listener)
        self._polling = polling
        self._observer: BaseObserver | None = None
        self.state = "off"

    def start(self) -> None:
        """Begin watching; where native events cannot be had (inotify limits, network drives), poll."""
        if not self._polling and self._begin(Observer(), "native"):
            return
        if not self._begin(PollingObserver(timeout=POLL_S), "polling"):
            self.state = "off"

    def _begin(self, observer: BaseObserver, state: str) -> bool:
        try:
            observer.schedule(self._handler, str(self._root), recursive=True)
            observer.start()
        except OSError as fault:
            _log.warning("%s watching is not possible: %s", state, fault)
            return False
        self._observer, self.state = observer, state
        return True

    @property
    def alive(self) -> bool:
        """False when the observer died, for example because the root was unmounted."""
        return self._observer is not None and self._observer.is_alive()

    def stop(self) -> None:
        """Stop and wait for the observer's threads."""
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join(5)
        self.state = "off"
