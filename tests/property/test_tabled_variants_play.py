"""Variants drawn from the vocabulary, with card tables: kernels, hosted and exported bots agree."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from counterfold.bots.played_run import bot_of
from counterfold.cards import parse_deck
from counterfold.contest.export.card_export import pack_cards, pack_lays, pack_order
from counterfold.contest.exported.exported_data import load_bot, save_data
from counterfold.errors import AbstractionError, GameError
from counterfold.games.files import rules_of
from counterfold.games.holdem import Bounty, Discard, Street, Variant
from counterfold.matches.entrants import baseline_entrant, run_entrant
from counterfold.matches.hosted_match import IN_PROCESS, play_hosted
from counterfold.matches.policy_match import play_policies
from counterfold.public.lay_levels import given_steps
from counterfold.public.lay_orders import lays_trios
from counterfold.public.public_variants import is_public
from counterfold.public.stages import card_stages
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from helpers.drawn.steps import AUCTIONS, FLAGS, SEATS, deals, discards
from helpers.trained_runs import randomized, untrained_run

DECK = parse_deck("789TJQKA/cd")
GIVEN = st.builds(
    Discard,
    SEATS,
    st.integers(1, 2),
    forced=st.just(True),
    shown=FLAGS,
    redraw=st.just(False),
    to_board=FLAGS,
)
# What goes together, so that hands are known by what is left of them, or by all of them.
FAMILIES = (st.one_of(GIVEN, GIVEN, deals(1)), st.one_of(discards(2), deals(1), AUCTIONS))


@st.composite
def variants(draw):
    """On boards and with hands of which most have buckets."""
    least = draw(st.sampled_from((3, 3, 2)))
    steps = FAMILIES[least == 2]
    first = Street(first=0, steps=tuple(draw(st.lists(steps, max_size=1))) * draw(FLAGS))
    flop = Street(draw(st.sampled_from((2, 3, 3))), draw(SEATS), steps=(draw(steps),))
    later = st.builds(Street, st.integers(1, 2), SEATS, steps=st.lists(steps, max_size=1))
    try:
        variant = Variant(
            "drawn",
            (first, flop, *draw(st.lists(later, max_size=1))),
            stack=draw(st.integers(4, 20)),
            hole_cards=draw(st.integers(least, 5)),
            deck=DECK,
            bounty=draw(st.sampled_from((None, None, None, Bounty()))),
        )
    except GameError:
        assume(False)
    assume(variant.hands_change and is_public(variant))
    return variant


def make_run(variant, order, seed):
    """A run of random numbers; how cards are ordered that are given away is part of it."""
    bids = "; bids: 100%" if variant.has_auctions else ""
    recipe = parse_recipe(
        {
            "variant": variant.name,
            "rules": rules_of(variant),
            "cards": "preflop: percentile(5); flop: percentile(4); river: percentile(3)",
            "bets": f"100%, allin; cap 2{bids}",
            "features": "pot * to_call * raises * cards",
            "discards": order,
        },
        "the recipe of a test",
    )
    return randomized(untrained_run(Plan(recipe, "drawn")), seed)


def kinds_of(cards):
    """The card maps that one is made of, such as `BountyCards` of `TabledCards`."""
    while cards is not None:
        yield type(cards).__name__
        cards = getattr(cards, "cards", None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFOLD_HOME", str(tmp_path_factory.mktemp("tables")))
        yield tmp_path_factory.mktemp("bots")


@settings(max_examples=15, deadline=None)
@given(variants(), FLAGS, st.integers(0, 99))
def test_kernels_hosted_and_exported_bots_agree_chip_for_chip(folder, variant, by_strength, seed):
    known = given_steps(card_stages(variant)) is not None or lays_trios(variant)
    try:
        run = make_run(variant, "by-strength" if known and by_strength else "by-rank", seed)
    except AbstractionError as error:
        event(str(error).split(",")[0])
        return
    event(" of ".join(kinds_of(run.cards)))
    mine, other = run_entrant(run, "mine"), baseline_entrant("random", variant)
    expected = play_policies(variant, (mine, other), 20, adjust=False, seed=seed)
    assert play_hosted(variant, (mine, other), 20, IN_PROCESS, seed=seed).chips == expected.chips
    bot = bot_of(run)
    packed = pack_cards(run.cards), pack_order(bot.order), pack_lays(bot.lay_order)
    with TemporaryDirectory(dir=folder) as place:
        data = Path(place) / "data"
        save_data(data, bot.variant, bot.policy, *packed, {"name": "mine"})
        exported = replace(mine, start=lambda seed, number: load_bot(data, seed, number))
        found = play_hosted(variant, (exported, other), 20, IN_PROCESS, seed=seed)
    assert found.chips == expected.chips
