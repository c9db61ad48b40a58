"""A cluster of two machines, both of them here, one of which goes while it works."""

import importlib
import sys
import time
from dataclasses import dataclass

import numpy as np
import pytest

from counterfold.cluster.ray_workers import RayWorkers

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own


@dataclass(frozen=True)
class Seconds:
    """Pieces of half a second, whose results stay on the machine that made them."""

    def prepare(self):
        return self.wait

    def wait(self, published, piece):
        time.sleep(0.5)
        return np.full(200_000, piece)


@pytest.mark.slow
def test_a_machine_that_goes_is_done_without():
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    machines = importlib.import_module("ray.cluster_utils")
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    cluster = machines.Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    other = cluster.add_node(num_cpus=2)
    try:
        with RayWorkers(cluster.address) as found:
            assert found.n_workers == 4
            results = found.begin(Seconds()).do(range(24))
            done = [next(results)[0] for _ in range(4)]
            cluster.remove_node(other, allow_graceful=False)
            done += [each[0] for each in results]
            assert done == list(range(24))
            assert len(found.actors) == len(found.starting) == 2
            cluster.add_node(num_cpus=2)
            while found.starting:
                found.admit(ray.wait(list(found.starting))[0][0])
            assert [each[0] for each in found.begin(Seconds()).do(range(6))] == list(range(6))
            assert len(found.actors) == 4
    finally:
        cluster.shutdown()
