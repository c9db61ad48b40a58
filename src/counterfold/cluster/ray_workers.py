"""Workers as actors of a Ray cluster, each with one core; those that die are replaced.

A replacement may wait for a core for long, if a whole machine has gone: it gets no pieces before it
has said that it is there, and the others do what there is to do.

Ray is optional (``pip install 'counterfold[cluster]'``), and is imported only if a cluster is asked
for. Its usage reports stay off, and so does the dashboard of a cluster that is started here; what
Ray listens on otherwise is protected by its token.
"""

import importlib
import itertools
import os
import platform
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from counterfold.cluster.software import check_software, describe_software
from counterfold.cluster.workers import (
    MOST_DEATHS,
    Crew,
    Done,
    Job,
    Workers,
    check_worker_count,
    killed_by,
)
from counterfold.errors import ClusterError, CounterfoldError, MissingLibraryError

AUTO = "auto"  # the cluster that RAY_ADDRESS names; if it names none, one for this process alone
_QUEUED = 2  # pieces that a worker has at a time: the next is there when one is done
_START_SECONDS = 120.0  # for all workers to start
_STARTS = 3  # of Ray on this machine, which gives up after 30 seconds even where it is only busy


class SentJob(NamedTuple):
    """A job on its way to workers that may not have seen it."""

    number: int
    software: dict[str, str]  # of who sent it
    content: list[Any]  # a reference to the job; in a list Ray does not resolve it by itself


class Actor:
    """A worker on some machine, with the job that it has prepared."""

    def __init__(self) -> None:
        self._number = -1  # of the job
        self._work: Callable[[Any, Any], Any] | None = None

    def describe(self) -> tuple[str, dict[str, str]]:
        """The machine, and its software."""
        return platform.node(), describe_software()

    def do(self, sent: SentJob, published: Any, piece: Any) -> Any:
        """The result of one piece of a job, which is prepared if it is a new one."""
        if self._work is None or sent.number != self._number:
            check_software(describe_software(), sent.software, platform.node())
            self._work = _find_library().get(sent.content[0]).prepare()
            self._number = sent.number
        return self._work(published, piece)


class RayWorkers(Workers):
    """`n_workers` actors of the cluster at `address`; by default one for each of its cores."""

    def __init__(self, address: str = AUTO, n_workers: int | None = None) -> None:
        self.ray = _find_library()
        self._joined = not self.ray.is_initialized()
        if self._joined:
            connect(self.ray, address, n_workers)
        self.n_workers = self._find_count(n_workers)
        self._make = self.ray.remote(num_cpus=1)(Actor)
        self.actors = [self._make.remote() for _ in range(self.n_workers)]
        self.starting: dict[Any, Any] = {}  # replacements, by the description to come
        self.n_replaced = 0
        self._failed_starts = 0  # one after another
        self._jobs = itertools.count()
        self._check()

    def begin(self, job: Job[Any, Any]) -> Crew:
        """A crew for `job`, which goes to each worker with its first piece."""
        return _RayCrew(self, SentJob(next(self._jobs), describe_software(), [self.ray.put(job)]))

    def replace(self, actor: Any) -> None:
        """Let a new worker start instead of one that died, or that cannot be reached any more."""
        self.ray.kill(actor)  # or it would keep its core
        self.actors.remove(actor)
        self.n_replaced += 1
        self.start_another()

    def admit(self, description: Any) -> None:
        """Let a replacement work whose description has come.

        Raises `ClusterError` if it has other software, or if nobody is left.
        """
        actor = self.starting.pop(description)
        try:
            place, software = self.ray.get(description)
        except self.ray.exceptions.RayError as error:
            self.ray.kill(actor)
            self._failed_starts += 1
            if self._failed_starts < MOST_DEATHS:
                self.start_another()
            elif not (self.actors or self.starting):
                raise ClusterError(f"no worker is left: {_summary(error)}") from error
            return
        check_software(software, describe_software(), place)
        self._failed_starts = 0
        self.actors.append(actor)

    def start_another(self) -> None:
        """Ask for one more worker, which may take until there is a core for it."""
        other = self._make.remote()
        self.starting[other.describe.remote()] = other

    def close(self) -> None:
        """Let the workers go, and leave the cluster if it was started or joined here."""
        for actor in [*self.actors, *self.starting.values()]:
            self.ray.kill(actor)
        self.leave()

    def leave(self) -> None:
        """Leave the cluster if it was started or joined here."""
        if self._joined:
            self.ray.shutdown()

    def _find_count(self, asked: int | None) -> int:
        """As many workers as were asked for, or as there are cores; for more, Ray would wait."""
        n_cores = int(self.ray.cluster_resources().get("CPU", 0))
        n_workers = check_worker_count(n_cores if asked is None else asked)
        if n_workers > n_cores:
            self.leave()
            raise ClusterError(
                f"{n_workers} workers need as many cores, but the cluster has {n_cores}; use fewer "
                "workers or let more machines join"
            )
        return n_workers

    def _check(self) -> None:
        """Raise `ClusterError` unless all workers start and have the software of this process."""
        try:
            asked = [actor.describe.remote() for actor in self.actors]
            found = self.ray.get(asked, timeout=_START_SECONDS)
        except self.ray.exceptions.RayError as error:
            self.close()
            raise ClusterError(
                f"a worker did not start: {_summary(error)}; is counterfold installed there, "
                "and are its cores idle?"
            ) from error
        for place, software in found:
            check_software(software, describe_software(), place)


class _RayCrew(Crew):
    """All actors, for one job."""

    def __init__(self, workers: RayWorkers, job: SentJob) -> None:
        self._workers, self._job, self._ray = workers, job, workers.ray
        self.n_workers = workers.n_workers

    def publish(self, content: Any) -> Any:
        return self._ray.put(content)

    def finish(self, pieces: Sequence[Any], published: Any = None) -> Iterator[Done]:
        workers, errors = self._workers, self._ray.exceptions
        todo = deque(range(len(pieces)))
        running: dict[Any, tuple[int, Any]] = {}  # number and worker by the result to come
        losses = [0] * len(pieces)
        suspects: set[int] = set()  # which a worker had that died, perhaps of another one

        def lose(number: int, error: Exception) -> list[Done]:
            """A piece that is to be done again, unless it is given up."""
            losses[number] += 1
            if losses[number] < MOST_DEATHS:
                todo.appendleft(number)
                return []
            return [Done(number, None, killed_by(number, len(pieces), _summary(error)))]

        while todo or running:
            for number, actor in _deal(todo, suspects, workers.actors, running):
                running[actor.do.remote(self._job, published, pieces[number])] = number, actor
            (ready,), _ = self._ray.wait([*running, *workers.starting])
            if ready in workers.starting:
                workers.admit(ready)
                continue
            number, actor = running[ready]
            try:
                done = [Done(number, self._ray.get(ready))]
            except errors.RayActorError as error:
                held = [ref for ref, (_, who) in running.items() if who is actor]
                first, *lost = [running.pop(ref)[0] for ref in held]  # the first it worked on
                suspects.update([first, *lost])
                todo.extendleft(reversed(lost))
                done = lose(first, error)
                workers.replace(actor)  # even if the job ends: the next needs it
            except errors.ObjectLostError as error:  # with the machine that kept it
                done = lose(number, error)
            except errors.RayTaskError as error:
                done = [Done(number, None, _cause(error))]
            running.pop(ready, None)
            yield from done


def _deal(
    todo: deque[int],
    suspects: Container[int],
    actors: Sequence[Any],
    running: Mapping[Any, tuple[int, Any]],
) -> list[tuple[int, Any]]:
    """The pieces that workers get now: a first one for all before a second one for any.

    A suspect is done alone, so that nothing else is blamed for what it does.
    """
    dealt: list[tuple[int, Any]] = []
    if not todo:
        return dealt
    held = Counter(actor for _, actor in running.values())
    held.update({actor: _QUEUED for number, actor in running.values() if number in suspects})
    for most in range(1, _QUEUED + 1):
        for actor in actors:
            if todo and held[actor] < (1 if todo[0] in suspects else most):
                held[actor] += _QUEUED if todo[0] in suspects else 1
                dealt.append((todo.popleft(), actor))
    return dealt


def _find_library() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingLibraryError(
            "a cluster needs Ray; pip install 'counterfold[cluster]', or leave out --cluster"
        ) from error


def connect(ray: Any, address: str, n_workers: int | None) -> None:
    """Join the cluster at `address`; for `auto` start one unless the environment names one.

    Ray's own "auto" would also find the clusters of other commands, which end when those do.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    found = os.environ.get("RAY_ADDRESS") if address == AUTO else address
    if not found:
        # Ray lets its workers give way to everything else, but these are the command itself.
        os.environ.setdefault("RAY_worker_niceness", "0")
        options = {"num_cpus": n_workers, "include_dashboard": False, **quiet}
        _start_here(ray, options)
        return
    try:
        ray.init(address=found, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ClusterError(
            f"cannot join the cluster at {found!r}: {_summary(error)}; give the address that "
            "ray start --head printed, such as 10.0.0.1:6379"
        ) from error


def _start_here(ray: Any, options: dict[str, Any]) -> None:
    """Start a cluster of this machine alone."""
    for left in reversed(range(_STARTS)):
        try:
            ray.init(address="local", **options)
        except Exception as error:  # Ray has no class for a start that took too long
            ray.shutdown()
            if not left:
                raise ClusterError(f"Ray does not start here: {_summary(error)}") from error
        else:
            return


def _summary(error: Exception) -> str:
    """One line of what Ray says, which may be a page: the first, or what a worker fell over."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1 if getattr(error, "actor_init_failed", False) else 0].rstrip(".")


def _cause(error: Any) -> CounterfoldError:
    """What went wrong in a worker; our own errors stay as they are."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, CounterfoldError):
        return cause
    return ClusterError(f"a worker failed: {error}")
