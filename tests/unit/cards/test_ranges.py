import numpy as np
import pytest

from counterfold.cards.pairs import N_PAIRS, index_pair, parse_hand_class, unindex_pair
from counterfold.cards.ranges import Range, format_range, parse_range
from counterfold.cards.text import parse_cards
from counterfold.errors import CardError


def pairs_of(*classes):
    """Pairs by the definition of their classes, without the parser."""
    found = []
    for pair in range(N_PAIRS):
        low, high = unindex_pair(pair)
        kind = "" if low // 4 == high // 4 else "s" if low % 4 == high % 4 else "o"
        ranks = "23456789TJQKA"
        if ranks[high // 4] + ranks[low // 4] + kind in classes:
            found.append(pair)
    return found


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("AKs", "AKs"),
        ("AKo", "AKo"),
        ("AK", "AKs AKo"),
        ("kas", "AKs"),
        ("QQ", "QQ"),
        ("TT+", "TT JJ QQ KK AA"),
        ("AA+", "AA"),
        ("77-TT", "77 88 99 TT"),
        ("TT-77", "77 88 99 TT"),
        ("A2s-A5s", "A2s A3s A4s A5s"),
        ("A5-A4", "A4s A4o A5s A5o"),
        ("KTs+", "KTs KJs KQs"),
        ("K9o+", "K9o KTo KJo KQo"),
        ("AK+", "AKs AKo"),
        ("32+", "32s 32o"),
        (" AA , KK", "AA KK"),
        ("none", ""),
        ("none,AA", "AA"),
    ],
)
def test_what_a_text_contains(text, classes):
    assert parse_range(text).pairs.tolist() == pairs_of(*classes.split())


def test_all_hands_and_single_hands():
    assert parse_range("Random").weights.tolist() == [1.0] * N_PAIRS
    assert parse_range("KhAh").pairs.tolist() == [index_pair(*parse_cards("AhKh"))]


def test_weights_and_the_last_item_counts():
    mixed = parse_range("AK:0.25, AKs:.5,AhKh : 2e0, random:0, QQ: 1.")
    assert mixed == parse_range("QQ")
    mixed = parse_range("AK:0.25, AKs:.5,AhKh : 2e0")
    assert mixed.total == 12 * 0.25 + 3 * 0.5 + 2
    assert mixed.weights[index_pair(*parse_cards("AhKh"))] == 2


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AK,AKs:0.5", "AKs:0.5,AKo"),
        ("AKs,AKo", "AK"),
        ("A♥K♥,Q♦️Q♣️:0.5", "AhKh,QdQc:0.5"),
        ("22,33,44", "22-44"),
        ("QQ,KK,AA", "QQ+"),
        ("A5s,A4s,A3s,A2s,AKs", "AKs,A2s-A5s"),
        ("KQs,KJs,AhKd,99", "99,KJs+,AhKd"),
        ("A9+,A8s+,A2o", "A9+,A8s,A2o"),
        ("random", "random"),
        ("random:0.5", "random:0.5"),
        ("22+,32+,42+,52+,62+,72+,82+,92+,T2+,J2+,Q2+,K2+,A2+", "random"),
        ("AA:0", "none"),
        ("AA:3.0,KK:1.0,QQ:1e-9", "AA:3,KK,QQ:1e-09"),
        ("AsAh,AsAd,AsAc,AhAd,AhAc,AdAc", "AA"),
        ("asah,2c2d:.5", "AsAh,2d2c:0.5"),
    ],
)
def test_canonical_text(text, canonical):
    assert format_range(parse_range(text)) == canonical
    assert parse_range(canonical) == parse_range(text)
    assert str(parse_range(text)) == canonical
    assert repr(parse_range(text)) == f"parse_range({canonical!r})"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TT+,AXs", "unknown rank 'X' at position 6 of 'TT+,AXs'"),
        ("TT+, AhXs", "unknown rank 'X' at position 8 of 'TT+, AhXs'"),
        ("AhKx,TT", "unknown suit 'x' at position 4 of 'AhKx,TT'"),
        ("A,KK", "unknown rank ',' at position 2 of 'A,KK'"),
        ("KK,A", "rank missing at position 5, the end of 'KK,A'"),
        ("KK,AhK", "suit missing at position 7, the end of 'KK,AhK'"),
        ("AhAh", "card Ah twice, at position 3 of 'AhAh'"),
        ("AhKhQh", "unexpected 'Qh' at position 5 of 'AhKhQh'"),
        ("AKx", "unexpected 'x' at position 3 of 'AKx'"),
        ("AKs+s", "unexpected '+s' at position 4 of 'AKs+s'"),
        ("77-TTs", "pairs have no 's', as at position 6 of '77-TTs'"),
        ("77-TT+", "unexpected '+' at position 6 of '77-TT+'"),
        ("KK,A2s-K5s", "A2s and K5s at position 4 of 'KK,A2s-K5s' are not two ends"),
        ("A2s-A5o", "A2s and A5o at position 1 of 'A2s-A5o' are not two ends"),
        ("77-AK", "77 and AK at position 1 of '77-AK' are not two ends"),
        ("", "hands missing at position 1 of ''"),
        ("AA,,KK", "hands missing at position 4 of 'AA,,KK'"),
        ("AA,", "hands missing at position 4 of 'AA,'"),
        (":0.5", "hands missing at position 1 of ':0.5'"),
        ("AA:", "weight '' at position 4 of 'AA:' is not a number of at least 0"),
        ("KK,AA:-1", "weight '-1' at position 7 of 'KK,AA:-1' is not a number of at least 0"),
        ("AA:nan", "weight 'nan' at position 4 of 'AA:nan' is not a number of at least 0"),
        ("AA:1e999", "weight '1e999' at position 4 of 'AA:1e999' is not a number of at least 0"),
        ("AA:1:2", "weight '1:2' at position 4 of 'AA:1:2' is not a number of at least 0"),
    ],
)
def test_faults_are_named_with_their_position(text, message):
    with pytest.raises(CardError) as error:
        parse_range(text)
    assert str(error.value).startswith(message)


def test_blocked_cards():
    aces = parse_range("AA,KQs")
    left = aces.without(parse_cards("AsKd2c"))
    assert left == parse_range("AA,KQs,AsAh:0,AsAd:0,AsAc:0,KdQd:0")
    assert left.total == 3 + 3
    assert aces.total == 6 + 4  # unchanged
    assert aces.without([]) == aces
    with pytest.raises(CardError, match="twice"):
        aces.without([0, 0])


def test_a_range_owns_its_weights():
    weights = np.zeros(N_PAIRS)
    hands = Range(weights)
    weights[0] = 1
    assert hands.total == 0
    with pytest.raises(ValueError, match="read-only"):
        hands.weights[0] = 1


def test_equality_and_hash():
    zeros = np.zeros(N_PAIRS)
    assert Range(zeros) == Range(-zeros)
    assert hash(Range(zeros)) == hash(Range(-zeros))
    assert Range(zeros) != parse_range("AA")
    assert Range(zeros) != "none"


@pytest.mark.parametrize("wrong", [-0.5, np.nan, np.inf])
def test_impossible_weights(wrong):
    weights = np.zeros(N_PAIRS)
    weights[index_pair(*parse_cards("AhKd"))] = wrong
    with pytest.raises(CardError, match=f"weight {wrong} of AhKd is not a number of at least 0"):
        Range(weights)
    with pytest.raises(CardError, match="a range must have 1326 weights"):
        Range(weights[1:])


def test_the_grid_has_the_mean_weight_of_each_class():
    grid = parse_range("AA,AKs:0.5,AhKd").grid
    assert grid.shape == (13, 13)
    assert grid.ravel()[parse_hand_class("AA")] == 1
    assert grid.ravel()[parse_hand_class("AKs")] == 0.5
    assert grid.ravel()[parse_hand_class("AKo")] == 1 / 12
    assert grid.sum() == 1.5 + 1 / 12
