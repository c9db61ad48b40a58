"""Work in the background: it is done, or it says what went wrong, and a room can stop it."""

import threading
import time

from counterfold.errors import BudgetError
from counterfold.web.background import Background


def wait(background):
    while not background.done:
        time.sleep(0.001)


def test_work_is_done_in_another_thread():
    background, seen = Background(), []
    background.begin(lambda: seen.append(threading.current_thread()))
    wait(background)
    assert seen != [threading.current_thread()]
    assert background.error == ""


def test_a_refusal_is_told():
    def refuse():
        raise BudgetError("the time is over")

    background = Background()
    background.begin(refuse)
    wait(background)
    assert background.error == "the time is over"


def test_work_that_fails_is_done_all_the_same(monkeypatch):
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    background = Background()
    background.begin(lambda: [][0])
    while not failed:
        time.sleep(0.001)
    assert background.done
    assert background.error == ""
    assert failed[0].exc_type is IndexError


def test_work_is_not_done_before_it_is_stopped():
    background = Background()
    background.begin(lambda: background.stop.wait() or None)
    assert not background.done
    background.stop.set()
    wait(background)
