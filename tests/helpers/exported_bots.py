"""Exported bots under a Python that has NumPy and nothing else that is not its own."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from helpers import self_play

_LAUNCHER = """
import runpy, sys
sys.path.append({site!r})
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def bare_python(folder):
    """Words that start Python on a script with nothing but NumPy on the path."""
    site = folder / "site"
    if not site.exists():
        site.mkdir(parents=True)
        packages = Path(np.__file__).parents[1]
        for name in ("numpy", "numpy.libs"):
            if (packages / name).exists():
                (site / name).symlink_to(packages / name)
        (folder / "launch.py").write_text(_LAUNCHER.format(site=str(site)))
    return (sys.executable, "-I", "-S", "-B", str(folder / "launch.py"))


def exported_hands(bot_folder, folder, seed, n):
    """What `play_hands` returns for two exported bots, in a bare Python."""
    words = [*bare_python(folder), self_play.__file__, str(bot_folder), str(seed), str(n)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
