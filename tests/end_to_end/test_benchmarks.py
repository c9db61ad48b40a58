"""Benchmarks start where a peer that they do not need is missing."""

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[2] / "benchmarks" / "run.py"

WITHOUT = """
import runpy, sys
sys.modules["LiteEFG"] = None  # as if it were not installed
sys.path.insert(0, sys.argv[1])
import run, bench_sampled, bench_memory
from timing import peers
sys.argv = ["run.py", "--help"]
run.main()
"""


def test_peers_are_imported_when_they_are_needed():
    words = [sys.executable, "-c", WITHOUT, str(RUN.parent)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "--only" in done.stdout
