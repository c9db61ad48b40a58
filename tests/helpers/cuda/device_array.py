"""Arrays that keep away from NumPy's, as those of a device do; memory of the processor has them."""

import operator

import numpy as np

_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "and", "or")
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")


class DeviceArray:
    """What `cupy` would give: it mixes with numbers and its like, and turns into nothing unasked.

    A NumPy array where one of these belongs is a `TypeError`, as it is there.
    """

    __array_ufunc__ = None
    __hash__ = None

    def __init__(self, host):
        self.host = host

    def __array__(self, *_, **__):
        raise TypeError("implicit conversion to a NumPy array is not allowed; use get()")

    def get(self, *, out=None):
        """A copy that NumPy may have."""
        if out is None:
            return self.host.copy()
        assert out.flags.c_contiguous
        assert (out.dtype, out.shape) == (self.host.dtype, self.host.shape)
        out[...] = self.host
        return out

    def __getattr__(self, name):
        return on_device(getattr(self.host, name))

    def __len__(self):
        return len(self.host)

    def __float__(self):
        return float(self.host)

    def __bool__(self):
        return bool(self.host)

    def __neg__(self):
        return DeviceArray(-self.host)

    def __getitem__(self, at):
        return on_device(self.host[plain(at)])

    def __setitem__(self, at, value):
        self.host[plain(at)] = plain(value)


def _operators(name):
    """Methods by name."""

    def apply(self, other):
        return on_device(getattr(operator, f"__{name}__")(self.host, plain(other)))

    def apply_turned(self, other):
        return on_device(getattr(operator, f"__{name}__")(plain(other), self.host))

    def apply_here(self, other):
        self.host[...] = getattr(operator, f"__i{name}__")(self.host, plain(other))
        return self

    if name in _COMPARISONS:
        return {f"__{name}__": apply}
    return {f"__{name}__": apply, f"__r{name}__": apply_turned, f"__i{name}__": apply_here}


for _name in (*_ARITHMETIC, *_COMPARISONS):
    for _method, _function in _operators(_name).items():
        setattr(DeviceArray, _method, _function)


def plain(value):
    """What NumPy gets of an argument."""
    if isinstance(value, DeviceArray):
        return value.host
    if isinstance(value, np.ndarray):
        raise TypeError(f"an array of NumPy's, {value.dtype} {value.shape}, is not on the device")
    if isinstance(value, tuple | list):
        return type(value)(map(plain, value))
    return value


def on_device(value):
    """What a caller gets for a result of NumPy's: shapes and types as they are."""
    if isinstance(value, np.ndarray | np.number | np.bool_):
        return DeviceArray(np.asarray(value))
    if isinstance(value, type) or not callable(value):
        return value

    def call(*arguments, **options):
        named = {name: plain(option) for name, option in options.items()}
        return on_device(value(*plain(arguments), **named))

    return call
