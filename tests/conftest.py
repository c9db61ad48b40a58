"""Options, fixtures and profiles that all tests share."""

import os

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=200, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_addoption(parser):
    parser.addoption("--regenerate", action="store_true", help="write the golden files anew")


@pytest.fixture
def regenerate(request):
    return request.config.getoption("--regenerate")


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory):
    """A folder of this run of the tests, the same one for all its workers."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture
def rng():
    return np.random.default_rng(20050601)
