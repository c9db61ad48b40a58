"""Variants drawn from the vocabulary of cards: kernels, exact rules and engines play them alike."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from counterfold.errors import GameError
from counterfold.games.holdem import Discard, Street, Variant
from counterfold.matches.entrants import baseline_entrant
from counterfold.matches.hosted_match import IN_PROCESS, play_hosted
from counterfold.matches.policy_match import play_policies
from counterfold.matches.replay import replay_hand
from counterfold.public.public_variants import is_public
from helpers.drawn.steps import AUCTIONS, FLAGS, SEATS, SWAPS, deals
from helpers.public_games import LAY

STEPS = st.one_of(SWAPS, deals(2), st.builds(Discard, SEATS), st.just(LAY), AUCTIONS)


@st.composite
def variants(draw):
    """Any that public graphs represent; of the others too few are drawn to matter."""
    later = st.builds(
        Street,
        st.integers(1, 3),
        SEATS,
        steps=st.lists(STEPS, max_size=3).map(tuple),
        betting=FLAGS,
    )
    first = Street(first=0, steps=tuple(draw(st.lists(STEPS, max_size=1))))
    try:
        variant = Variant(
            "drawn",
            (first, *draw(st.lists(later, min_size=1, max_size=3))),
            stack=draw(st.integers(4, 40)),
            hole_cards=draw(st.integers(1, 6)),
            fold_when_free=draw(FLAGS),
        )
    except GameError:
        assume(False)
    assume(is_public(variant))
    return variant


@settings(max_examples=30, deadline=None)
@given(variants(), st.integers(0, 99))
def test_kernels_exact_rules_and_engines_agree_chip_for_chip(variant, seed):
    players = baseline_entrant("random", variant), baseline_entrant("all-in", variant)
    hands = []
    expected = play_policies(variant, players, 20, histories=hands.extend, adjust=False, seed=seed)
    for hand in hands:
        assert replay_hand(hand, variant).utilities == hand.chips
    assert len(hands) == 20
    assert play_hosted(variant, players, 20, IN_PROCESS, seed=seed).chips == expected.chips
