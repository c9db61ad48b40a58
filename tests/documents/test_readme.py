"""What the README counts."""

import re
from pathlib import Path

from counterfold.training.recipe import shipped_recipes

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ONES = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def in_words(number):
    """Of two digits, from 20 on."""
    return "-".join(word for word in (TENS[number // 10], ONES[number % 10]) if word)


def test_as_many_recipes_as_it_says_come_with_the_package():
    found = re.search(
        r"(\S+) come with the\s+package: (\S+) reproduce systems[^(]*\(([^)]+)\)", TEXT
    )
    assert found[1].lower() == in_words(len(shipped_recipes()))
    named = re.findall(r"`([^`]+)`", found[3])
    assert found[2] == ONES[len(named)]
    assert {*named} <= {*shipped_recipes()}
