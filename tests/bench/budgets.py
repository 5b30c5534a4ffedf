"""Prints the budgets beside what this machine measures. No figure here fails a build: a person reads them.

    python -m tests.bench.budgets [--quick] [--only NAME]… [--work FOLDER]

Vaults are synthetic, from a seed; `--work` keeps them and their indexes for the next run (a full one makes about 300 MB of notes
and takes some ten minutes the first time).
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.budget.facts import facts_by_filter
from tests.bench.budget.indexing import first_index, renamed_folder, save_to_found, unchanged_scan
from tests.bench.budget.lines import Bench, Line
from tests.bench.budget.machine import facts
from tests.bench.budget.memory import daemon_memory
from tests.bench.budget.searching import search_alone, search_large, search_while_indexing

MEASURES: dict[str, Callable[[Bench], list[Line]]] = {
    "scan": unchanged_scan,
    "first": first_index,
    "rename": renamed_folder,
    "search": search_alone,
    "busy": search_while_indexing,
    "save": save_to_found,
    "memory": daemon_memory,
    "facts": facts_by_filter,
    "large": search_large,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.budgets", description="Budgets and what this machine measures.")
    parser.add_argument("--quick", action="store_true", help="vaults about ten times smaller: the figures are not the budgets'")
    parser.add_argument("--only", action="append", choices=sorted(MEASURES), help="one group of lines; may be repeated")
    parser.add_argument("--work", type=Path, help="where vaults and indexes are kept (default: a folder of the system's temporary one)")
    options = parser.parse_args(arguments)
    bench = Bench(options.work or Path(tempfile.gettempdir()) / "holovault-bench", options.quick)
    bench.work.mkdir(parents=True, exist_ok=True)
    print(facts())
    print("\n| what | budget | measured | remark |\n|---|---|---|---|", flush=True)
    for name in options.only or MEASURES:
        start = time.perf_counter()
        for line in MEASURES[name](bench):
            print(f"| {line.what} | {line.budget} | {line.measured} | {line.remark} |", flush=True)
        print(f"<!-- {name}: {time.perf_counter() - start:.0f} s -->", flush=True)


if __name__ == "__main__":
    main()
