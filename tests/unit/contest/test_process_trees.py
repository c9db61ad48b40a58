import subprocess
import sys
import time
import uuid

import psutil

from counterfold.contest.process_trees import MARK, kill_tree, marked_processes

# Starts a process in a session of its own, whose parent ends at once.
LEAVES = """
import subprocess, sys, time
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
start = f"import subprocess; subprocess.Popen({sleep}, start_new_session=True)"
subprocess.run([sys.executable, "-c", start])
print("left", flush=True)
time.sleep(600)
"""


def test_a_child_that_left_its_group_and_lost_its_parent_is_killed(tmp_path):
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-c", LEAVES],
        env={MARK: mark},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        assert process.stdout.readline() == b"left\n"
        left = [each for each in marked_processes(mark) if each.pid != process.pid]
        assert left
        kill_tree(process, mark)
    deadline = time.monotonic() + 600.0
    while any(is_running(each) for each in left) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_running(each) for each in left)
    assert not list(marked_processes(mark))


def is_running(process):
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
