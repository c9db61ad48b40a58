"""What is known of a bot: entries by strategy and settings, and what they say."""

import json

import pytest

from counterfold.errors import ArtifactError
from counterfold.responses.known_responses import add_known, describe_known, known_responses


def entry(strategy="a", mean=1.0, interval=0.5, **settings):
    figure = {"mean": mean, "interval": interval}
    kind = {"kind": "sampled", "unit": "mb/g", "exploitability": figure}
    return {"strategy": strategy, "settings": settings, **kind}


def means(folder, strategy):
    return [each["exploitability"]["mean"] for each in known_responses(folder, strategy)]


def test_known_responses_are_those_of_a_strategy(tmp_path):
    for each in (entry(mean=1.0, seed=1), entry(mean=2.0, seed=2), entry("b", mean=3.0, seed=1)):
        add_known(tmp_path, each)
    assert means(tmp_path, "a") == [1.0, 2.0]
    assert means(tmp_path, "b") == [3.0]
    assert means(tmp_path, "c") == []


def test_the_same_settings_replace_what_was_known(tmp_path):
    for mean in (1.0, 4.0):
        add_known(tmp_path, entry(mean=mean, seed=1))
    assert means(tmp_path, "a") == [4.0]


@pytest.mark.parametrize("text", ["", "[]", '{"responses": [{}]}', '{"responses": 1}'])
def test_a_damaged_file_is_refused_with_its_path(tmp_path, text):
    (tmp_path / "responses.json").write_text(text)
    with pytest.raises(ArtifactError, match=r"responses\.json' is damaged; delete it"):
        known_responses(tmp_path, "a")


def test_nothing_is_known_of_a_new_folder(tmp_path):
    assert known_responses(tmp_path, "a") == []


def test_a_figure_is_told_with_its_interval_and_settings():
    measured = entry(
        mean=1234.56, interval=7.89, boards=40, menu="", resolve=None, seed=0, secret=1
    )
    assert describe_known(measured) == "sampled: 1,234.6 ± 7.9 mb/g (boards 40, seed 0)"
    assert describe_known(entry(interval=0.0, boards=8)) == "sampled: 1.0 mb/g (boards 8)"
    json.dumps(measured)  # as it is kept
