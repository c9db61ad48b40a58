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
PUBLIC = [
    (package, name)
    for package in PACKAGES
    for name in getattr(importlib.import_module(package), "__all__", ())
]


@pytest.mark.parametrize(("package", "name"), PUBLIC, ids=".".join)
def test_a_public_name_is_there(package, name):
    assert hasattr(importlib.import_module(package), name)


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_listed_once(package):
    names = getattr(importlib.import_module(package), "__all__", [])
    assert len(set(names)) == len(names)


def test_every_layer_that_users_import_lists_its_names():
    layers = ("bets", "bots", "buckets", "contest", "games", "matches", "runs", "tree")
    listed = {package for package, _ in PUBLIC}
    assert listed >= {"counterfold", *(f"counterfold.{layer}" for layer in layers)}


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_what_it_is(module):
    assert (importlib.import_module(module).__doc__ or "").strip()


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
