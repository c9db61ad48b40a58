"""Workers: places that do the numbered pieces of a job, and the twin of a cluster in one process.

A job travels to every worker, which prepares once what all pieces need. `Crew.do` gives results in
the order of the pieces, whoever did them: what is computed from them depends neither on the number
of workers nor on their speed. A piece that is done twice, since a worker died, gives the same
result twice. `Crew.finish` gives each as soon as it is there, for what is kept one by one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from counterfold.errors import ClusterError, CounterfoldError

_Piece_contra = TypeVar("_Piece_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)
_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")

MOST_DEATHS = 3  # of workers during one piece, after which the piece is to blame

Work = Callable[[Any, _Piece], _Result]  # what is published, and a piece


class Job(Protocol[_Piece_contra, _Result_co]):
    """What workers are to do; it must be possible to pickle it."""

    def prepare(self) -> Callable[[Any, _Piece_contra], _Result_co]:
        """What does one piece with what was published for it; called once by each worker."""
        ...


class Done(NamedTuple):
    """A piece that is done, or given up."""

    number: int  # of the piece
    result: Any
    error: CounterfoldError | None = None  # instead of a result


class Crew(ABC):
    """Workers that have prepared one job."""

    n_workers: int

    def publish(self, content: Any) -> Any:
        """Something that many pieces need, as `do` takes it; it travels once to each machine."""
        return content

    @abstractmethod
    def finish(self, pieces: Sequence[Any], published: Any = None) -> Iterator[Done]:
        """Each of `pieces` as soon as it is done; one that fails does not keep others from it."""

    def do(self, pieces: Sequence[Any], published: Any = None) -> Iterator[Any]:
        """The results of `pieces`, in their order; raises the first error."""
        results: dict[int, Any] = {}
        following = 0
        for done in self.finish(pieces, published):
            if done.error is not None:
                raise done.error
            results[done.number] = done.result
            while following in results:
                yield results.pop(following)
                following += 1


class Workers(ABC):
    """Where jobs are done; as a context manager it lets all workers go at the end."""

    n_workers: int

    @abstractmethod
    def begin(self, job: Job[Any, Any]) -> Crew:
        """Let every worker prepare `job`."""

    def close(self) -> None:
        """Let the workers go."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class LocalWorkers(Workers):
    """Workers of this process that take turns; each prepares for itself, as on a machine apart."""

    def __init__(self, n_workers: int = 1) -> None:
        self.n_workers = check_worker_count(n_workers)

    def begin(self, job: Job[Any, Any]) -> Crew:
        """Prepare `job` once for each worker."""
        return _LocalCrew([job.prepare() for _ in range(self.n_workers)])


class _LocalCrew(Crew):
    def __init__(self, works: list[Work[Any, Any]]) -> None:
        self._works, self.n_workers = works, len(works)

    def finish(self, pieces: Sequence[Any], published: Any = None) -> Iterator[Done]:
        for number, piece in enumerate(pieces):
            try:
                done = Done(number, self._works[number % self.n_workers](published, piece))
            except CounterfoldError as error:
                done = Done(number, None, error)
            yield done


def killed_by(number: int, n_pieces: int, why: str) -> ClusterError:
    """What a piece is given up with."""
    return ClusterError(
        f"{MOST_DEATHS} workers died during piece {number} of {n_pieces}: {why}; do they have "
        "enough memory?"
    )


def check_worker_count(n_workers: int) -> int:
    """The number itself; raises `ClusterError` unless it is at least one."""
    if n_workers < 1:
        raise ClusterError(f"a cluster needs at least one worker, not {n_workers!r}")
    return n_workers
