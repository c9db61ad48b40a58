"""Write `slow_cases.txt`, the cases that only `make slow` runs, from what each test took.

    python -m pytest -m "" --numprocesses 2 --dist worksteal --times FOLDER
    python tests/slow_cases.py FOLDER

A test with many parameters goes much the same way through the code again and again. A case that
takes longer than the limit is slow, unless it is among the quickest quarter of its test. Cases on
the list that were not measured stay on it.
"""

import argparse
import json
from collections import defaultdict
from math import ceil
from pathlib import Path

LIST = Path(__file__).with_name("slow_cases.txt")
ALWAYS = ("tests/documents/",)  # each page is a test of its own
KEPT = 4  # one of so many cases stays, whatever it takes
LIMIT = 0.25  # seconds of the processor, bounds checks included


def pick_slow(times, limit):
    """The cases over the limit, but for the quickest quarter of each test."""
    tests = defaultdict(list)
    for case, seconds in times.items():
        if not case.startswith(ALWAYS):
            tests[case.partition("[")[0]].append((seconds, case))
    return {
        case
        for cases in tests.values()
        for seconds, case in sorted(cases)[ceil(len(cases) / KEPT) :]
        if seconds > limit
    }


def read_times(folder):
    """Seconds by case."""
    return dict(
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds")
    options = parser.parse_args()
    times = read_times(options.folder)
    listed = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    slow = pick_slow(times, options.limit) | {case for case in listed if case not in times}
    LIST.write_text("".join(f"{case}\n" for case in sorted(slow)), encoding="utf-8")
    print(f"{len(slow)} slow cases, {sum(times.get(case, 0.0) for case in slow):.0f} s")


if __name__ == "__main__":
    main()
