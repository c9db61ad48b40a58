"""A name of a constant means one thing in all kernels: columns of tables cannot be mixed up."""

import importlib
import pkgutil
from collections import defaultdict

import counterfold


def test_no_constant_of_the_kernels_has_two_values():
    values = defaultdict(lambda: defaultdict(set))
    for module in pkgutil.walk_packages(counterfold.__path__, "counterfold."):
        if not module.name.endswith("_kernels"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            # What is private to a module is at hand where it is used.
            if name.isupper() and not name.startswith("_") and isinstance(value, int | float):
                values[name][value].add(module.name)
    assert len(values) > 50
    assert {name: dict(found) for name, found in values.items() if len(found) > 1} == {}
