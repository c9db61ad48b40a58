"""Change a module in small ways, one at a time, and see whether its tests notice.

    python tests/mutation/mutate.py bets/translation.py games --sample 12 --out mutants.jsonl

Modules and rooms are named by their place in the package. All happens in a copy of the tree. Each
mutant meets the test file that mirrors its module; with --rooms, what that lets pass meets the
other tests of its room. A line of the output is a mutant; what is in the output is not tried again.

Kernels run as plain Python where their tests allow that in time, and else are compiled without the
cache, which would not see the change.
"""

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import pytest
from mutations import Mutation, mutations

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src/counterfold")
_PRINTED = ("end", "module", "line", "before", "after")
_HEAVY = ("scipy.sparse", "scipy.optimize", "matplotlib", "pydantic", "typer", "rich")
_LONGEST = 90  # seconds of tests that are repeated for every mutant
_WALL = 5  # seconds on the clock for one on the processor
_BROKEN = 70  # exit status of a run that did not come to its tests
_MEMORY = 6 << 30  # bytes, for mutants that never stop to collect


def main() -> None:
    """Try the mutants of the modules that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="+", help="modules or rooms, below src/counterfold")
    parser.add_argument("--sample", type=int, default=12, help="mutants per module")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--tests", nargs="+", help="instead of the test file that mirrors a module")
    parser.add_argument(
        "--rooms", action="store_true", help="try survivors on all their room's tests"
    )
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    options = parser.parse_args()
    for name in _HEAVY:  # once: each run of tests is a fork of this process
        __import__(name)
    modules = [path for name in options.modules for path in _modules(name)]
    known = _known(options.out)
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder) / "tree", options.tests, options.rooms)
        for module in modules:
            for record in _tried(tree, module, options.sample, options.seed, known):
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")
                print(*(record[key] for key in _PRINTED), flush=True)
    print(Counter(record["end"] for record in _known(options.out).values()))


def _modules(name: str) -> list[Path]:
    """Places below the package of the modules with code under a name."""
    place = ROOT / PACKAGE / name
    found = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return [path.relative_to(ROOT / PACKAGE) for path in found if path.name != "__init__.py"]


def _known(out: Path) -> dict[str, Any]:
    if not out.exists():
        return {}
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {record["key"]: record for record in records}


def _tried(
    tree: "Tree", module: Path, sample: int, seed: int, known: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Records of those mutants of a module in the sample that are not known yet."""
    found = mutations((tree.folder / PACKAGE / module).read_text(encoding="utf-8"))
    chosen = random.Random(f"{seed} {module}").sample(found, min(sample, len(found)))
    keyed = {hashlib.sha256(one.text.encode()).hexdigest()[:16]: one for one in chosen}
    fresh = {key: one for key, one in keyed.items() if key not in known}
    for key, one in fresh.items():
        yield {
            "key": key,
            "module": str(module),
            "line": one.line,
            "kind": one.kind,
            "before": one.before,
            "after": one.after,
            "end": tree.end_of(module, one),
        }


class Tree:
    """A copy of the working tree in which modules are changed and tests run."""

    def __init__(self, folder: Path, tests: list[str] | None, rooms: bool) -> None:
        self.folder, self.tests, self.rooms = folder, tests, rooms
        self._seconds: dict[tuple[str, str], float | None] = {}
        names = shutil.ignore_patterns(".*", "__pycache__", "dist", "demo", "site")
        shutil.copytree(ROOT, folder, ignore=names)

    def end_of(self, module: Path, mutation: Mutation) -> str:
        """How a mutant ends: noticed by the tests at a place, or by none."""
        path = self.folder / PACKAGE / module
        original = path.read_text(encoding="utf-8")
        end = "untested"
        for place in self._places(module):
            mode = self._mode(module, place)
            if not mode:
                continue
            seconds = self._baseline(place, mode) or 0.0
            self._write(path, mutation.text)
            status = _run(self.folder, place, mode, 3 * seconds + 20)
            self._write(path, original)
            if status != 0:
                return f"killed by {place}" if status is not None else f"timeout in {place}"
            end = "survived"
        return end

    def _places(self, module: Path) -> list[str]:
        """Where the tests of a module are: the file that mirrors it, unless others are named."""
        if self.tests is not None:
            return self.tests
        test = Path("tests/unit") / module.with_name(f"test_{module.name}")
        room = [test.parent] if self.rooms and module.parent != Path() else []
        return [str(place) for place in (test, *room) if (self.folder / place).exists()]

    def _mode(self, module: Path, place: str) -> str:
        """How kernels run while the tests at a place look at mutants of a module."""
        modes = ("plain", "compiled") if self._feeds_kernels(module) else ("cached",)
        return next((mode for mode in modes if self._baseline(place, mode) is not None), "")

    def _feeds_kernels(self, module: Path) -> bool:
        """Whether compiled code contains something of a module: its functions or constants."""
        if module.stem.endswith("_kernels"):
            return True
        name = ".".join(("counterfold", *module.with_suffix("").parts))
        kernels = (self.folder / PACKAGE).rglob("*_kernels.py")
        return any(f"from {name} import" in path.read_text(encoding="utf-8") for path in kernels)

    def _baseline(self, place: str, mode: str) -> float | None:
        """Seconds that tests take if nothing is changed; None if they fail or take too long."""
        if (place, mode) not in self._seconds:
            if mode == "cached":
                _run(self.folder, place, mode, 4 * _LONGEST)  # compiles what the next run loads
            started = time.monotonic()
            status = _run(self.folder, place, mode, _LONGEST)
            self._seconds[place, mode] = time.monotonic() - started if status == 0 else None
            print(f"{place}, {mode}, unchanged: {status=}, {time.monotonic() - started:.0f} s")
        return self._seconds[place, mode]

    def _write(self, path: Path, text: str) -> None:
        """Under a time that no version had before, so that bytecode of another one is not used."""
        before = path.stat().st_mtime
        path.write_text(text, encoding="utf-8")
        os.utime(path, (before + 10, before + 10))


def _run(tree: Path, place: str, mode: str, seconds: float) -> int | None:
    """Exit status of the tests at a place, in a process of their own; None if time ran out."""
    child = os.fork()
    if child == 0:
        status = _BROKEN
        try:
            status = _test(tree, place, mode, seconds)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    deadline = time.monotonic() + _WALL * seconds
    ended, status = 0, 0
    while not ended and time.monotonic() < deadline:
        time.sleep(0.05)
        ended, status = os.waitpid(child, os.WNOHANG)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
        return None
    code = os.waitstatus_to_exitcode(status)
    return None if code == -signal.SIGXCPU else code


def _test(tree: Path, place: str, mode: str, seconds: float) -> int:
    os.setsid()
    os.chdir(tree)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    os.environ |= {
        "PYTHONPATH": str(tree / "src"),
        "NUMBA_CACHE_DIR": str(tree.parent / "numba"),
        "NUMBA_DISABLE_JIT": "1" if mode == "plain" else "0",
        "COUNTERFOLD_NUMBA_CACHE": "1" if mode == "cached" else "0",
    }
    numba.config.reload_config()
    sys.path[0] = str(tree / "src")
    with open(tree.parent / "output", "w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    temporary = f"--basetemp={tree.parent / 'pytest'}"
    return int(
        pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", temporary, place])
    )


if __name__ == "__main__":
    main()
