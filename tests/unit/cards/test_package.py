import counterfold.cards


def test_every_public_name_exists():
    assert counterfold.cards.__all__ == sorted(
        counterfold.cards.__all__,
        key=lambda name: (not name.isupper(), not name[0].isupper(), name),
    )
    for name in counterfold.cards.__all__:
        assert getattr(counterfold.cards, name) is not None
