import pickle

import pytest

from counterfold.errors import CounterfoldError, PeerError, ProtocolError, UnknownNameError


@pytest.mark.parametrize("kind", CounterfoldError.__subclasses__())
def test_errors_come_home_from_other_processes_with_their_sentence(kind):
    made = {
        UnknownNameError: lambda: UnknownNameError("street", "rivver", ["river"]),
        ProtocolError: lambda: ProtocolError("hello", "a number", "a bot"),
    }
    error = made.get(kind, lambda: kind("one sentence"))()
    home = pickle.loads(pickle.dumps(error))
    assert type(home) is kind
    assert str(home) == str(error) != ""
    assert home.args == error.args


def test_an_error_of_the_system_keeps_what_it_is():
    assert isinstance(pickle.loads(pickle.dumps(PeerError("gone"))), ConnectionError)
