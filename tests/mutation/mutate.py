"""Change a module in small ways, one at a time, and see whether its tests notice.

    python tests/mutation/mutate.py bets/translation.py games --sample 12 --out mutants.jsonl

Modules and rooms are named by their place in the package. All happens in a copy of the tree. Each
mutant meets the test file that mirrors its module; with --rooms, what that lets pass meets the
other tests of its room. A line of the output is a mutant; what is in the output is not tried again.

With --kernels, the kernels of the rooms alone. They and what they import meet the tests of their
wrapper too: first those that plain Python runs soon, then, without --plain, all, for which the
changed module is compiled and those that contain it.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mutations import Mutation, mutations
from trial import Trial

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src/counterfold")
_PRINTED = ("end", "module", "line", "before", "after")
_HEAVY = ("scipy.sparse", "scipy.optimize", "matplotlib", "pydantic", "typer", "rich")
_LONGEST = 90  # seconds of tests that are repeated for every mutant
_FIRST = 600  # seconds of the run that compiles, or tells which tests plain Python runs soon


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
    parser.add_argument("--kernels", action="store_true", help="the kernels of the rooms alone")
    parser.add_argument("--plain", action="store_true", help="do not compile changed kernels")
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    options = parser.parse_args()
    for name in _HEAVY:  # once: each run of tests is a fork of this process
        __import__(name)
    modules = [path for name in options.modules for path in _modules(name, options.kernels)]
    known = _known(options.out)
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder) / "tree", options.tests, options.rooms, options.plain)
        for module in modules:
            for record in _tried(tree, module, options.sample, options.seed, known):
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")
                print(*(record[key] for key in _PRINTED), flush=True)
    print(Counter(record["end"] for record in _known(options.out).values()))


def _modules(name: str, kernels: bool) -> list[Path]:
    """Places below the package of the modules with code under a name."""
    place = ROOT / PACKAGE / name
    pattern = "*_kernels.py" if kernels else "*.py"
    found = sorted(place.rglob(pattern)) if place.is_dir() else [place]
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
    source = (tree.folder / PACKAGE / module).read_text(encoding="utf-8")
    # The constants of kernels are numbers of columns, most of which could as well be others.
    found = mutations(source, in_functions=module.stem.endswith("_kernels"))
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

    def __init__(self, folder: Path, tests: list[str] | None, rooms: bool, plain: bool) -> None:
        self.folder, self.tests, self.rooms, self.plain = folder, tests, rooms, plain
        self._seconds: dict[Trial, float | None] = {}
        names = shutil.ignore_patterns(".*", "__pycache__", "dist", "demo", "site")
        shutil.copytree(ROOT, folder, ignore=names)

    def end_of(self, module: Path, mutation: Mutation) -> str:
        """How a mutant ends: noticed by the tests at a place, or by none."""
        path = self.folder / PACKAGE / module
        original = path.read_text(encoding="utf-8")
        containing = self._containing(module)
        end = "untested"
        for trial in self._trials(module, containing):
            seconds = self._baseline(trial, containing)
            if seconds is None:
                continue
            _write(path, mutation.text, containing)
            status, _ = trial.run(3 * seconds + 5)
            _write(path, original, containing)
            if status != 0:
                places = f"{', '.join(trial.places)} ({trial.mode})"
                return f"killed by {places}" if status is not None else f"timeout in {places}"
            end = "survived"
        return end

    def _trials(self, module: Path, containing: list[Path]) -> list[Trial]:
        """What a mutant has to pass, the cheapest first."""
        mirrors = self._mirrors(module) if self.tests is None else tuple(self.tests)
        room = (str(Path("tests/unit") / module.parent),) if module.parent != Path() else ()
        places = [mirrors, room] if self.rooms or not mirrors else [mirrors]
        trials = [
            Trial(self.folder, at, "plain" if containing else "cached") for at in places if at
        ]
        if containing and mirrors and not self.plain:
            trials.append(Trial(self.folder, mirrors, "compiled"))
        return trials

    def _mirrors(self, module: Path) -> tuple[str, ...]:
        """The test file that mirrors a module, and for kernels that of their wrapper.

        `tests/mirrors.txt` says which one knows a module without a test file of its own.
        """
        folder = Path("tests/unit") / module.parent
        stems = dict.fromkeys((module.stem, module.stem.removesuffix("_kernels")))
        tests = [folder / f"test_{stem}.py" for stem in stems]
        found = tuple(str(test) for test in tests if (self.folder / test).exists())
        lines = (self.folder / "tests" / "mirrors.txt").read_text(encoding="utf-8").splitlines()
        said = dict(line.split() for line in lines if not line.startswith("#"))
        other = said.get(module.with_suffix("").as_posix())
        return found or (() if other is None else (f"tests/{other}",))

    def _containing(self, module: Path) -> list[Path]:
        """Modules of kernels that contain something of a module when compiled."""
        package = self.folder / PACKAGE
        imported = {path: _imported(path) for path in package.rglob("*_kernels.py")}
        names, found = {_dotted(module)}, []
        for _ in imported:  # at the latest then, no further one is found
            found = [path for path, known in imported.items() if known & names]
            names |= {_dotted(path.relative_to(package)) for path in found}
        return [*found, package / module] if module.stem.endswith("_kernels") else found

    def _baseline(self, trial: Trial, containing: list[Path]) -> float | None:
        """Seconds that tests take if nothing is changed; None if they fail or take too long."""
        if trial not in self._seconds:
            trial.run(_FIRST, choose=trial.mode == "plain")  # compiles, or chooses tests
            _renew(containing)
            status, taken = trial.run(_LONGEST)
            self._seconds[trial] = taken if status == 0 else None
            print(*trial.places, f"{trial.mode}, unchanged: {status=}, {taken:.1f} s", flush=True)
        return self._seconds[trial]


def _imported(path: Path) -> set[str]:
    """Names of the modules that a module imports, and of what it imports from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {str(node.module), *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def _dotted(module: Path) -> str:
    return ".".join(("counterfold", *module.with_suffix("").parts))


def _write(path: Path, text: str, containing: list[Path]) -> None:
    before = path.stat().st_mtime
    path.write_text(text, encoding="utf-8")
    os.utime(path, (before + 10, before + 10))  # or bytecode of another version may be used
    _renew(other for other in containing if other != path)


def _renew(paths: Iterable[Path]) -> None:
    """Change files so that what was compiled from them is not used again: Numba hashes them."""
    for path in paths:
        with path.open("a", encoding="utf-8") as file:
            file.write("#\n")


if __name__ == "__main__":
    main()
