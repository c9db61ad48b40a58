"""Card specs as text, as the `cards` of a recipe have it."""

from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.public.card_spec import CardSpec, ExactSpec, TabledSpec
from counterfold.public.enumerated_cards import parse_enumerated


def parse_card_spec(text: str) -> CardSpec:
    """Read ``exact``, ``listed-percentile(4)`` or a card abstraction such as ``percentile(10)``."""
    exact = ExactSpec()
    if text.strip() == exact.name:
        return exact
    return parse_enumerated(text) or TabledSpec(parse_card_abstraction(text))
