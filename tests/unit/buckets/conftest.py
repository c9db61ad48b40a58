"""Strength tables of a deck of twelve cards, built once for all tests of buckets."""

import pytest

from counterfold.buckets import StrengthLookup
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables


@pytest.fixture(scope="session")
def tables_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("strength-tables")


@pytest.fixture(scope="session")
def source(tables_folder):
    return StrengthLookup(StrengthTables(Deck(6, 2), clusters=EIGHT_RANGES, folder=tables_folder))
