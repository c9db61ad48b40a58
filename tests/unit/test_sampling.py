import pytest

from counterfold.errors import AlgorithmError
from counterfold.sampling import AVERAGE_STRATEGY_SAMPLING, Sampling, check_sampling


def test_numbers_get_one_type_each():
    checked = check_sampling(Sampling(epsilon=1, tau=1000, beta=0, prune_below=-3, warm_up=True))
    assert [type(value) for value in checked] == [bool, bool, bool, float, float, float, float, int]
    assert checked == Sampling(tau=1000.0, prune_below=-3.0, warm_up=1)


def test_only_average_strategy_sampling_tries_actions():
    assert AVERAGE_STRATEGY_SAMPLING.tries
    assert not any(
        s.tries for s in (Sampling(), Sampling(True), Sampling(single=True, epsilon=0.6))
    )


@pytest.mark.parametrize(
    ("sampling", "message"),
    [
        (Sampling(True, True), "exclude each other"),
        (Sampling(epsilon=0.0), "epsilon must be above 0.*not 0.0"),
        (Sampling(epsilon=0.5), "a beta above 0"),
        (Sampling(prune_below=5.0), "negative regret.*not 5.0"),
        (Sampling(expand=True, prune_below=-5.0), "for external sampling"),
        (Sampling(warm_up=-1), "number of deals.*not -1"),
    ],
)
def test_settings_that_do_not_fit_each_other(sampling, message):
    with pytest.raises(AlgorithmError, match=message):
        check_sampling(sampling)
