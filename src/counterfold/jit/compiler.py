"""The one decorator of all kernels.

Numba's cache on disk is keyed by the file of the outermost kernel alone: a change to a helper in
another file is not seen. `make` therefore points `NUMBA_CACHE_DIR` at a folder named by the
content of all kernels.
"""

import logging
import os
import time
from collections.abc import Callable, Mapping
from typing import Any, cast

import numba
from numba._dispatcher import compute_fingerprint
from numba.core import event, types
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

_log = logging.getLogger(__name__)
_LONG_SECONDS = 2.0  # of a compilation that is worth a line
_CACHE = os.environ.get("COUNTERFOLD_NUMBA_CACHE", "1") == "1"


class _KernelCache(FunctionCache):
    """Numba's cache on disk, without which a kernel is compiled again in the next process."""

    told = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """A compiled kernel, if there is one; types that have moved since are compiled anew."""
        try:
            return super().load_overload(sig, target_context)
        except (AttributeError, ImportError):
            self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled kernel if the disk takes it."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            if not _KernelCache.told:
                _KernelCache.told = True
                why = error.strerror or error
                _log.warning("cannot keep compiled kernels in %r: %s", self.cache_path, why)


def _make_decorator(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    # error_model="numpy": 0/0 is nan, as on arrays, not an exception path in every division.
    compiled = numba.njit(nogil=True, error_model="numpy", **options)

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = compiled(function)
        if isinstance(dispatcher, Dispatcher):  # else `NUMBA_DISABLE_JIT` is set
            _compile_once_for_constants(dispatcher)
        if _CACHE:
            dispatcher._cache = _KernelCache(function)  # as `enable_caching` of Numba does
        return dispatcher

    return decorate


def _compile_once_for_constants(dispatcher: Any) -> None:
    """Compile what kernels call for the types of constants, not for each constant.

    Numba compiles a helper anew for every constant, or tuple with a constant, that a kernel passes,
    and for integers of 32 bits beside those of 64. LLVM knows the constants of what it inlines.
    """
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(
        [_widen(kind) for kind in args], {name: _widen(kind) for name, kind in kws.items()}
    )


def _widen(kind: Any) -> Any:
    plain: Any = types.unliteral(kind)
    if isinstance(plain, types.BaseAnonymousTuple):
        entries: Any = plain
        return types.BaseTuple.from_types([_widen(entry) for entry in entries])
    return types.int64 if plain in types.signed_domain else plain


kernel = _make_decorator()

# For helpers in the innermost loops: a call that is not inlined passes seven words for every array.
inlined_kernel = _make_decorator(forceinline=True)

# For short work on many arrays. Numba counts references to arrays, by an atomic addition for each
# array of each tuple at each call; what is inlined is the call, not the counting. Kernels that
# borrow leave it out: the caller keeps the arrays alive. They cannot make arrays or return views.
borrowing_kernel = _make_decorator(_nrt=False)
inlined_borrowing_kernel = _make_decorator(_nrt=False, forceinline=True)

# For a few lines in the innermost loops of such kernels: Numba copies them to where they are called
# before LLVM sees them, which spares LLVM the arrays of the call and compiles faster. In kernels
# that count references the copy would count those of its arguments.
copied_kernel = _make_decorator(_nrt=False, inline="always")


def settle(dispatcher: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A kernel for arguments of the types of these, which are not looked at any more.

    A call of a kernel looks at every array of every tuple: 80 of them take 12 microseconds, the
    call itself two. What the settled kernel does with arguments of other types is undefined.
    """
    if not hasattr(dispatcher, "typeof_pyval"):  # it is not compiled, by NUMBA_DISABLE_JIT
        return cast(Callable[..., Any], dispatcher)
    key = dispatcher, compute_fingerprint(arguments)  # the types themselves take a millisecond
    if key not in _settled:
        _settled[key] = dispatcher.compile(tuple(map(dispatcher.typeof_pyval, arguments)))
    return _settled[key]


_settled: dict[tuple[Any, bytes], Callable[..., Any]] = {}


class _CompilationReport(event.Listener):
    """Says which large kernels are compiled rather than loaded from the cache."""

    def __init__(
        self, announce: Callable[[str], None], seconds: Mapping[str, int], hint: str
    ) -> None:
        self.announce, self.seconds, self.hint = announce, seconds, hint
        self._started: list[float] = []  # of compilations inside each other

    def on_start(self, event: Any) -> None:
        name = _kernel_name(event)
        if not self._started and name in self.seconds:
            seconds = self.seconds[name]
            self.announce(f"compiling {name}, once on this machine, about {seconds} s{self.hint}")
            self.hint = ""
        self._started.append(time.monotonic())

    def on_end(self, event: Any) -> None:
        seconds, name = time.monotonic() - self._started.pop(), _kernel_name(event)
        if not self._started and seconds >= _LONG_SECONDS and name not in self.seconds:
            self.announce(f"compiled {name}, once on this machine, in {seconds:.0f} s")


def _kernel_name(event: Any) -> str:
    function = event.data["dispatcher"].py_func
    return f"{function.__module__.removeprefix('counterfold.')}.{function.__name__}"


def announce_compilation(
    announce: Callable[[str], None], seconds: Mapping[str, int], hint: str = ""
) -> None:
    """Announce the kernels that this process has to compile, if that takes long.

    Those in `seconds`, which is how long each is known to take, are announced beforehand, the first
    of them with the `hint`; the others afterwards.
    """
    event.register("numba:compile", _CompilationReport(announce, seconds, hint))
