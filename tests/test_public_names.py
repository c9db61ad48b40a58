"""What a package lists as public is there."""

import ast
import importlib.util
import pkgutil
from pathlib import Path

import pytest

import counterfold

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(counterfold.__path__, "counterfold.")
)
PACKAGES = [
    "counterfold",
    *(name for name in MODULES if importlib.util.find_spec(name).submodule_search_locations),
]


def public_names(package):
    return getattr(importlib.import_module(package), "__all__", [])


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_there_and_listed_once(package):
    module, names = importlib.import_module(package), public_names(package)
    assert [name for name in names if not hasattr(module, name)] == []
    assert len(set(names)) == len(names)


def test_every_layer_that_users_import_lists_its_names():
    layers = ("bets", "bots", "buckets", "contest", "games", "matches", "runs", "tree")
    unlisted = [layer for layer in layers if not public_names(f"counterfold.{layer}")]
    assert public_names("counterfold")
    assert unlisted == []


def test_every_module_says_what_it_is():
    silent = [name for name in MODULES if not (importlib.import_module(name).__doc__ or "").strip()]
    assert silent == []


def test_the_api_is_imported_from_where_type_checkers_see_it():
    tree = ast.parse(Path(counterfold.__file__).read_text(encoding="utf-8"))
    seen = {
        alias.asname or alias.name: node.module.removeprefix("counterfold.")
        + (f":{alias.name}" if alias.asname else "")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.startswith("counterfold.")
        for alias in node.names
    }
    assert seen == counterfold._HOMES
    assert sorted(seen) == sorted(counterfold.__all__)


def test_unknown_names_of_the_api_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        counterfold.sovle  # noqa: B018


def test_dir_lists_the_api():
    assert {*counterfold.__all__, "__version__"} <= {*dir(counterfold)}
