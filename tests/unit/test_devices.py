import sys
from types import SimpleNamespace

import pytest

from counterfold import devices
from counterfold.devices import (
    choose_device,
    counting_library,
    free_gpu_bytes,
    gpu_library,
    gpu_name,
    read_device,
)
from counterfold.errors import CounterfoldError, DeviceError


def library(n_devices):
    """What there is of CuPy on a machine with so many GPUs; None: its driver does not answer."""

    def count():
        if n_devices is None:
            raise RuntimeError("no driver")
        return n_devices

    runtime = SimpleNamespace(
        getDeviceCount=count,
        getDeviceProperties=lambda device: {"name": b"NVIDIA H200"},
        memGetInfo=lambda: (7, 9),
    )
    pool = SimpleNamespace(free_bytes=lambda: 2)
    return SimpleNamespace(
        cuda=SimpleNamespace(runtime=runtime), get_default_memory_pool=lambda: pool
    )


@pytest.fixture
def install(monkeypatch):
    def put(module):
        devices._find_library.cache_clear()
        monkeypatch.setitem(sys.modules, "cupy", module)

    yield put
    devices._find_library.cache_clear()


def test_a_gpu_is_taken_if_there_is_one_and_the_method_can_use_it(install):
    install(library(1))
    assert choose_device("auto", "joint-tables", has_path=True) == "gpu"
    assert choose_device("gpu", "joint-tables", has_path=True) == "gpu"
    assert choose_device("auto", "external", has_path=False) == "cpu"
    assert choose_device("cpu", "joint-tables", has_path=True) == "cpu"
    assert (gpu_name(), free_gpu_bytes()) == ("NVIDIA H200", 9)


def test_tables_are_counted_on_a_gpu_unless_the_processor_is_asked_for(install):
    install(module := library(1))
    assert counting_library("auto") is module
    assert counting_library("gpu") is module
    assert counting_library("cpu") is None
    install(None)
    assert counting_library("auto") is None
    with pytest.raises(DeviceError, match="needs CuPy"):
        counting_library("gpu")


MISSING = {
    "CuPy": (None, r"needs CuPy; pip install 'counterfold\[gpu\]', or use --device cpu"),
    "a GPU": (library(0), "CuPy finds no GPU; use --device cpu"),
    "a driver": (library(None), "CuPy cannot reach a GPU: no driver; use --device cpu"),
}


@pytest.mark.parametrize("what", MISSING)
def test_what_is_missing_is_said_in_a_sentence(what, install):
    module, message = MISSING[what]
    install(module)
    assert choose_device("auto", "joint-tables", has_path=True) == "cpu"
    with pytest.raises(DeviceError, match=message):
        choose_device("gpu", "joint-tables", has_path=True)
    with pytest.raises(CounterfoldError, match=message):
        gpu_library()


def test_a_method_without_a_path_says_so(install):
    install(library(1))
    with pytest.raises(DeviceError, match="external cannot use a GPU yet; use --device cpu"):
        choose_device("gpu", "external", has_path=False)


def test_only_devices_are_read():
    assert [read_device(name) for name in ("auto", "cpu", "gpu")] == ["auto", "cpu", "gpu"]
    with pytest.raises(DeviceError, match="'tpu' is not one of auto, cpu, gpu"):
        read_device("tpu")
