"""How many examples a property is tried on, by the profile and by what an example costs."""

from hypothesis import settings


def fewer(divisor):
    """A part of the examples of the profile, for those that take a good part of a second each."""
    return settings(max_examples=settings.default.max_examples // divisor)
