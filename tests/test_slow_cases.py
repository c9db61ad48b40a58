import re
from pathlib import Path

from slow_cases import LIST, pick_slow

ROOT = Path(__file__).parents[1]


def test_slow_cases_are_those_over_the_limit_but_for_the_quickest():
    times = {"a[1]": 3.0, "a[2]": 2.0, "a[3]": 0.1, "b[1]": 5.0, "b[2]": 4.0, "c": 9.0}
    assert pick_slow(times, 1.0) == {"a[1]", "a[2]", "b[1]"}


def test_a_quarter_of_the_cases_stays():
    times = {f"a[{n}]": 1.0 + n for n in range(9)}
    assert pick_slow(times, 0.5) == {f"a[{n}]" for n in range(3, 9)}


def test_slow_cases_are_cases_of_tests():
    """A test that was renamed or moved would be fast again without a word."""
    listed = LIST.read_text(encoding="utf-8").splitlines()
    assert listed == sorted(set(listed))
    texts = {}
    for case in listed:
        path, _, name = case.partition("[")[0].partition("::")
        assert "[" in case, case
        if path not in texts:
            texts[path] = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {name.rpartition('::')[2]}\(", texts[path], re.MULTILINE), case
