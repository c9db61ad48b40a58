"""What a package lists as public is there."""

import importlib.util
import pkgutil

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
