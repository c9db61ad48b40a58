import pytest

from counterfold.errors import CounterfoldError
from counterfold.threads import thread_count


def test_what_is_asked_for_comes_first_then_the_environment_then_one(monkeypatch):
    monkeypatch.delenv("COUNTERFOLD_THREADS", raising=False)
    assert thread_count() == 1
    monkeypatch.setenv("COUNTERFOLD_THREADS", "3")
    assert thread_count() == 3
    assert thread_count(2) == 2


@pytest.mark.parametrize("text", ["0", "-1", "two", "", "1.5"])
def test_refuses_what_is_no_number_of_threads(monkeypatch, text):
    monkeypatch.setenv("COUNTERFOLD_THREADS", text)
    with pytest.raises(CounterfoldError, match=f"COUNTERFOLD_THREADS must be .* not '{text}'"):
        thread_count()
    with pytest.raises(ValueError, match=r"the number of threads must be .* not '0'"):
        thread_count(0)
