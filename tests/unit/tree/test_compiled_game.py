import numpy as np
import pytest

from counterfold.errors import UnknownNameError
from counterfold.games import Kuhn, Leduc
from counterfold.tree import NOTHING, abstract_tree, compile_game, fact
from helpers.compiled_games import LOSSLESS, compiled

FORMS = (
    ("leduc", "everything"),
    ("leduc", LOSSLESS),
    ("leduc", "nothing"),
    ("liars-dice(faces=3)", "last_bid"),
    ("toy", "seen"),
)


@pytest.fixture(params=FORMS, ids=" under ".join)
def game(request):
    return compiled(*request.param)


def test_merged_infosets_share_their_player_and_actions(game):
    for infoset, i in zip(game.tree.infosets, game.infoset_of, strict=True):
        assert game.owners[infoset.player] <= i < game.owners[infoset.player + 1]
        assert game.actions[i] == infoset.actions


def test_two_infosets_are_merged_exactly_when_the_abstraction_does_not_tell_them_apart(game):
    merged = {}
    for infoset, i in zip(game.tree.infosets, game.infoset_of, strict=True):
        key = infoset.player, infoset.actions, game.abstraction.reveal(infoset)
        assert merged.setdefault(key, i) == i
    assert len(set(merged.values())) == len(merged) == game.n_infosets


def test_slots_are_counted_by_actions(game):
    assert np.diff(game.offsets).tolist() == [len(actions) for actions in game.actions]
    assert game.n_slots == sum(len(actions) for actions in game.actions)
    assert game.owners[0] == 0
    assert game.owners[-1] == game.n_infosets == len(game.labels)


@pytest.mark.parametrize(
    ("game", "abstraction", "infosets"),
    [
        ("kuhn", "everything", 12),  # REFERENCE.md: 3 cards, 4 histories
        ("leduc", "everything", 936),  # REFERENCE.md
        ("leduc", LOSSLESS, 288),  # REFERENCE.md: suits merged
        # A pot of equal chips offers call and raise, one raised once fold, call, raise, one raised
        # twice fold and call: three menus for each player.
        ("leduc", "nothing", 2 * 3),
        ("kuhn", "nothing", 2),  # one menu
        ("kuhn", "player", 2),
    ],
)
def test_number_of_infosets(game, abstraction, infosets):
    assert compiled(game, abstraction).n_infosets == infosets


@pytest.mark.parametrize(
    ("game", "abstraction", "exact", "recall"),
    [
        ("leduc", "everything", True, True),
        ("leduc", "card * board * history", True, True),  # what the pot says is in the history
        ("leduc", LOSSLESS, False, True),
        ("leduc", "rank * board_rank", False, False),
        ("leduc", "nothing", False, False),
        ("rps", "nothing", True, True),  # there is nothing to forget
        ("toy", "seen", False, True),  # each player acts once, so nobody can forget
    ],
)
def test_what_an_abstraction_does_to_recall(game, abstraction, exact, recall):
    found = compiled(game, abstraction)
    assert (found.is_exact, found.perfect_recall) == (exact, recall)


@pytest.mark.parametrize(
    ("game", "expected"),
    [("kuhn", True), ("matrix", True), ("nash-bargaining(3)", False), ("toy", False)],
)
def test_minimax_applies_to_two_players_and_zero_sums_only(game, expected):
    assert compiled(game).is_two_player_zero_sum is expected


def test_the_exact_game_of_an_abstraction_is_the_same_tree():
    game = compiled("leduc", LOSSLESS)
    assert game.exact.is_exact
    assert game.exact.tree is game.tree
    assert game.exact.fingerprint == compiled("leduc").fingerprint
    assert compiled("leduc").exact is compiled("leduc")


def test_names():
    assert compiled("leduc").name == "leduc"
    expected = "leduc under board_rank * history * rank"  # the words of a product are sorted
    assert compiled("leduc", LOSSLESS).name == expected


def test_labels_say_what_the_abstraction_reveals():
    assert "board_rank=Q history=cc/ rank=K" in compiled("leduc", LOSSLESS).labels
    assert "card=Ks board=Qh history=cc/ pot=2" in compiled("leduc").labels


def test_fingerprints_tell_abstractions_and_rules_apart():
    games = [
        compiled("leduc"),
        compiled("leduc", LOSSLESS),
        compiled("leduc", "rank * history"),
        compile_game(Leduc(ante=2), LOSSLESS),
        compiled("kuhn"),
        compiled("kuhn", "card"),
    ]
    assert len({game.fingerprint for game in games}) == len(games)


def test_an_abstraction_may_be_text_or_a_product():
    tree = compiled("kuhn").tree
    text = abstract_tree(tree, "card * history")
    product = abstract_tree(tree, fact("card") * fact("history"))
    assert text.fingerprint == product.fingerprint
    assert abstract_tree(tree, NOTHING).fingerprint == abstract_tree(tree, "nothing").fingerprint


def test_an_unknown_feature_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown feature of kuhn 'cart'; did you mean card"):
        compile_game(Kuhn(), "cart * history")


def test_memory_is_counted():
    game = compiled("leduc")
    # 9457 nodes of 1 + 4 + 4 + 8 + 4 bytes and 5520 terminals with two utilities of 8.
    assert game.nbytes > 9457 * 21 + 5520 * 16
