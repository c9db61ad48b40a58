import pickle
from dataclasses import replace

import numpy as np
import pytest

from counterfold.errors import ClusterError
from counterfold.training.run_parcel import RunParcel


def test_a_run_is_opened_as_it_was_sent(small_runs):
    run = small_runs["river-of-blood"]
    opened = pickle.loads(pickle.dumps(RunParcel.of(run))).open()
    assert opened.name == run.name
    assert opened.plan.recipe == run.plan.recipe
    assert opened.metrics == run.metrics
    assert opened.blueprint.n_trained == run.blueprint.n_trained
    np.testing.assert_array_equal(opened.blueprint.quantized, run.blueprint.quantized)
    np.testing.assert_array_equal(opened.blueprint.visits, run.blueprint.visits)


def test_other_card_tables_are_refused_by_name(small_runs):
    parcel = replace(RunParcel.of(small_runs["river-of-blood"]), digests={"flop": "abc"})
    with pytest.raises(ClusterError, match="card tables flop of a worker"):
        parcel.open()
