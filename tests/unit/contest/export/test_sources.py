import ast

import pytest

from counterfold.contest.export.older_python import for_older_python
from counterfold.contest.export.sources import (
    ALLOWED,
    COMPILER,
    PLAIN_COMPILER,
    ROOT,
    collect_sources,
)
from counterfold.errors import ExportError
from counterfold.jit import compiler


@pytest.fixture(scope="module")
def sources():
    return collect_sources()


def test_modules_are_copied_for_older_machines(sources):
    for path, text in sources.items():
        if not path.endswith(("__init__.py", "jit/compiler.py", "newer_python.py")):
            assert text == for_older_python((ROOT.parent / path).read_text(encoding="utf-8"))
    assert "counterfold/bots/policy_kernels.py" in sources
    assert "counterfold/bots/strategy_bot.py" in sources
    assert not any(part in path for path in sources for part in ("/runs/", "/cli/", "/solvers/"))


def test_nothing_but_numpy_and_the_standard_library_is_imported(sources):
    for path, text in sources.items():
        for node in ast.walk(ast.parse(text)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            for name in names:
                assert name.split(".")[0] in ALLOWED | {"counterfold"}, f"{path} imports {name}"


def test_every_imported_module_of_ours_is_there(sources):
    for text in sources.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("counterfold"):
                path = node.module.replace(".", "/")
                assert f"{path}.py" in sources or f"{path}/__init__.py" in sources


def test_kernels_are_left_as_they_are_by_the_compiler_of_an_export(sources):
    scope = {}
    exec(sources[COMPILER.replace(".", "/") + ".py"], scope)
    assert scope["kernel"](len) is len
    assert scope["inlined_kernel"](len) is len


def test_what_needs_more_is_refused():
    with pytest.raises(ExportError, match="pydantic"):
        collect_sources("counterfold.training.recipe")


def test_every_decorator_of_kernels_has_a_plain_one():
    plain: dict[str, object] = {}
    exec(PLAIN_COMPILER, plain)
    assert {name for name in vars(compiler) if name.endswith("kernel")} <= plain.keys()
