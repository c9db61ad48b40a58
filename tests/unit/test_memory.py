import psutil
import pytest

from counterfold import memory
from counterfold.errors import TooLargeError


def test_what_fits_passes_and_what_does_not_is_refused_with_both_figures(monkeypatch):
    monkeypatch.setattr(memory, "free_memory_bytes", lambda: 2_000_000_000)
    memory.check_memory("two sums", 2_000_000_000)
    with pytest.raises(TooLargeError) as refused:
        memory.check_memory("three sums", 3_500_000_000, "use one thread")
    assert str(refused.value) == (
        "three sums need 3.5 GB, but only 2.0 GB of memory are free; use one thread"
    )


def test_a_process_occupies_part_of_the_memory():
    assert 0 < memory.resident_bytes() < psutil.virtual_memory().total
    assert 0 < memory.free_memory_bytes() <= psutil.virtual_memory().total
