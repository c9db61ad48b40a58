import pytest

from counterfold.cluster.software import check_software, describe_software, hash_source
from counterfold.errors import ClusterError


def test_the_same_software_may_work_together():
    check_software(describe_software(), describe_software(), "here")


@pytest.mark.parametrize("name", ["numba", "numpy", "its source", "Python"])
def test_other_software_is_refused_by_name(name):
    other = {**describe_software(), name: "0.1"}
    with pytest.raises(ClusterError, match=f"on there has {name} '0.1'"):
        check_software(other, describe_software(), "there")


def test_a_worker_that_does_not_say_what_it_has_is_refused():
    with pytest.raises(ClusterError, match="has counterfold None"):
        check_software({}, describe_software(), "there")


def test_the_hash_sees_every_byte_and_every_name_of_the_source(tmp_path):
    (tmp_path / "one.py").write_text("1")
    first = hash_source(tmp_path)
    (tmp_path / "one.py").write_text("2")
    second = hash_source(tmp_path)
    (tmp_path / "one.py").rename(tmp_path / "two.py")
    assert len({first, second, hash_source(tmp_path)}) == 3
    (tmp_path / "notes.txt").write_text("not source")
    assert hash_source(tmp_path) == hash_source(tmp_path)
