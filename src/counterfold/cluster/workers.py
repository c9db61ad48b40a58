"""Workers: places that do the numbered pieces of a job, and the twin of a cluster in one process.

A job travels to every worker, which prepares once what all pieces need. Results come in the order
of the pieces, whoever did them: what is computed from them depends neither on the number of workers
nor on their speed. A piece that is done twice, since a worker died, gives the same result twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from counterfold.errors import ClusterError

_Piece_contra = TypeVar("_Piece_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)
_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")

Work = Callable[[Any, _Piece], _Result]  # what is published, and a piece


class Job(Protocol[_Piece_contra, _Result_co]):
    """What workers are to do; it must be possible to pickle it."""

    def prepare(self) -> Callable[[Any, _Piece_contra], _Result_co]:
        """What does one piece with what was published for it; called once by each worker."""
        ...


class Crew(ABC):
    """Workers that have prepared one job."""

    n_workers: int

    def publish(self, content: Any) -> Any:
        """Something that many pieces need, as `do` takes it; it travels once to each machine."""
        return content

    @abstractmethod
    def do(self, pieces: Sequence[Any], published: Any = None) -> Iterator[Any]:
        """The results of `pieces`, in their order."""


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

    def do(self, pieces: Sequence[Any], published: Any = None) -> Iterator[Any]:
        for number, piece in enumerate(pieces):
            yield self._works[number % self.n_workers](published, piece)


def check_worker_count(n_workers: int) -> int:
    """The number itself; raises `ClusterError` unless it is at least one."""
    if n_workers < 1:
        raise ClusterError(f"a cluster needs at least one worker, not {n_workers!r}")
    return n_workers
