import pytest

from counterfold.errors import UnknownNameError
from counterfold.tree import normalized, tabulate, uniform_strategy
from counterfold.tree.profile_table import find_rows
from helpers.compiled_games import compiled, random_strategy


def rows_of(strategy):
    return {(row.player, row.knows): row for row in tabulate(strategy)}


def test_how_often_infosets_of_uniform_kuhn_are_reached():
    rows = rows_of(uniform_strategy(compiled("kuhn")))
    assert len(rows) == 12
    for card in "JQK":  # one card in three, then a coin for every action on the way
        assert rows[0, f"card={card}"].reached == pytest.approx(1 / 3)
        assert rows[1, f"card={card} history=p"].reached == pytest.approx(1 / 6)
        assert rows[1, f"card={card} history=b"].reached == pytest.approx(1 / 6)
        assert rows[0, f"card={card} history=pb"].reached == pytest.approx(1 / 12)


def test_actions_that_are_never_taken_lead_nowhere():
    game = compiled("kuhn")
    sums = uniform_strategy(game).probabilities.copy()
    first = game.labels.index("card=J")
    sums[game.offsets[first] : game.offsets[first + 1]] = 1.0, 0.0  # always pass with the jack
    rows = rows_of(normalized(game, sums))
    # A bet then comes from the queen or the king, each with 1/3 × 1/2; a queen against a bet is
    # against the king, dealt to player 0 in one of six deals.
    assert rows[1, "card=Q history=b"].reached == pytest.approx(1 / 6 * 1 / 2)
    assert rows[1, "card=J history=b"].reached == pytest.approx(2 / 6 * 1 / 2)
    assert rows[0, "card=J"].actions == {"pass": 1.0, "bet": 0.0}


def test_rows_are_by_player_and_in_the_order_of_the_tree(rng):
    strategy = random_strategy(compiled("leduc"), rng)
    rows = tabulate(strategy)
    assert [row.knows for row in rows] == list(strategy.game.labels)
    assert [row.player for row in rows] == [0] * 468 + [1] * 468  # half of 936 each


@pytest.mark.parametrize(
    ("game", "abstraction"),
    [("leduc", "rank * board_rank * history"), ("liars-dice(faces=3)", "hand * last_bid")],
)
def test_a_merged_infoset_is_reached_as_often_as_its_parts(game, abstraction, rng):
    merged = random_strategy(compiled(game, abstraction), rng)
    parts = tabulate(merged.lift())
    sums = [0.0] * merged.game.n_infosets
    for k, i in enumerate(merged.game.infoset_of):
        sums[i] += parts[k].reached
    assert [row.reached for row in tabulate(merged)] == pytest.approx(sums)


def test_rows_are_found_by_player_and_text_most_often_reached_first():
    strategy = uniform_strategy(compiled("kuhn"))
    rows = find_rows(strategy, 1, "card=K")
    assert {row.knows for row in rows} == {"card=K history=p", "card=K history=b"}
    everything = find_rows(strategy)
    assert len(everything) == 12
    assert [(row.player, -row.reached) for row in everything] == sorted(
        (row.player, -row.reached) for row in tabulate(strategy)
    )
    with pytest.raises(UnknownNameError, match="unknown player '2'"):
        find_rows(strategy, 2)
