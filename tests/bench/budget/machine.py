"""The machine in one line, and memory of processes. Must not measure time."""

import os
import platform
import sqlite3
import sys

import numpy as np
import psutil


def facts() -> str:
    """What a figure must be read with."""
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return ", ".join(
        (
            f"{os.cpu_count()} cores ({platform.processor() or platform.machine()})",
            f"{psutil.virtual_memory().total / 1e9:.0f} GB",
            f"{platform.system()} {platform.release()}",
            f"Python {platform.python_version()}",
            f"SQLite {sqlite3.sqlite_version}",
            f"numpy {np.__version__}",
            load,
        )
    ).rstrip(", ")


def private_mb(pid: int) -> float:
    """Private memory of a process and its children in MB: unique set size where the system tells it, without the index's mapped vectors,
    whose pages the system may take back at any time."""
    root = psutil.Process(pid)
    return sum(_unique(process) for process in (root, *root.children(recursive=True))) / 1e6


def _unique(process: psutil.Process) -> int:
    if sys.platform == "linux":
        mapped = (place for place in process.memory_maps(grouped=True) if place.path.endswith(".seg"))
        return int(process.memory_full_info().uss) - sum(place.private_clean for place in mapped)
    if sys.platform in ("darwin", "win32"):
        return int(process.memory_full_info().uss)
    return int(process.memory_info().rss)
