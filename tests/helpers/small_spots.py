"""Spots that are solved in a moment."""

from counterfold.ranges.spot import Spot

RIVER = {
    "board": "2c2d7h8s3d",
    "oop": "AA,QQ",
    "ip": "KK,JJ:0.5",
    "pot": 100,
    "stack": 100,
    "bets": "50%, allin",
}
TURN = {
    "board": "Kd7c2s9h",
    "oop": "AA,KQs,76s",
    "ip": "QQ,AKs,T8s",
    "pot": 20,
    "stack": 40,
    "bets": "50%, allin",
}


def river(**changes: object) -> Spot:
    return Spot(**{**RIVER, **changes})  # type: ignore[arg-type]


def turn(**changes: object) -> Spot:
    return Spot(**{**TURN, **changes})  # type: ignore[arg-type]
