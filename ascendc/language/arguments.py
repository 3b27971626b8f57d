"""Kernel arguments: host arrays become global memory, numbers take their declared type, the rest passes through.

An array keeps its bytes: kernels write outputs in place.  Arrays that share memory on the host share it in
the launch, too, whatever they share it through.
"""

from __future__ import annotations

import inspect
import itertools
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .declared import round_declared
from .dtypes import DTYPES, dtype
from .errors import DtypeError, UsageError
from .global_memory import GlobalAddress, HostArray
from .program import GlobalArray
from .signature import check, declared, is_array, parameters

_ALIGN = 512
"""Global buffers start at multiples of a cache line."""

_numbers = itertools.count()
_known: dict[tuple[int, int], tuple[int, Any]] = {}


class Layout:
    """The arguments of one launch.

    Attributes:
        args, kwargs: what the kernel is called with.
        arrays: the arrays among them, as the program remembers them.
        findings: numbers that their declared types do not hold.

    Raises:
        UsageError: arguments do not fit the kernel's parameters, or an array cannot be used.
        RangeError: a number is outside the integer type its parameter is declared with.
    """

    def __init__(self, body: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        bound, said = _bind(body, args, kwargs), declared(body)
        check(body.__name__, said.kinds, bound)
        self.findings = round_declared(body, said.types, bound)
        hosts = {
            name: found for name, value in bound.arguments.items() if (found := _array(body, name, value)) is not None
        }
        self.arrays = _place(hosts, bound.arguments)
        self._placed: list[HostArray] = []
        for made in self.arrays:
            flat = hosts[made.name].reshape(-1).view(np.uint8)
            kind = DTYPES[made.dtype]
            self._placed.append(HostArray(made.name, made.address, flat, kind))
            bound.arguments[made.name] = GlobalAddress(self._placed[-1], 0, kind)
        self.args, self.kwargs = bound.args, bound.kwargs

    def end(self) -> None:
        """Nothing lies in global memory any more."""
        for host in self._placed:
            host.end()


def _bind(body: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
    signature = inspect.signature(body)
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        raise UsageError(f"{body.__name__}: {error}; {parameters(signature)}") from None


def _array(body: Callable[..., Any], name: str, value: Any) -> NDArray[Any] | None:
    """``value`` as a NumPy array on the same memory, or ``None`` if it is no array.

    Raises:
        UsageError: it is one, but cannot be used.
    """
    if isinstance(value, np.ndarray):
        array: NDArray[Any] = value
    elif not is_array(value):
        return None
    else:
        array = _foreign(body, name, value)
    if not array.flags.c_contiguous:
        raise UsageError(
            f"{body.__name__}: array {name} of shape {array.shape} is not contiguous; "
            f"pass numpy.ascontiguousarray({name})"
        )
    if not array.dtype.isnative:
        raise DtypeError(
            f"{body.__name__}: array {name} is {array.dtype.str}, in the byte order of another machine; "
            f"pass {name}.astype({name}.dtype.newbyteorder('='))"
        )
    if array.dtype.name == "int4":
        raise DtypeError(
            f"{body.__name__}: array {name} is NumPy's int4, a byte for each number; "
            "put two into each byte of a uint8 array, the first into its lower half"
        )
    try:
        dtype(array.dtype)
    except DtypeError as error:
        raise DtypeError(
            f"{body.__name__}: array {name}: {error}; convert it first, as with {name}.astype(numpy.float32)"
        ) from None
    return array


def _foreign(body: Callable[..., Any], name: str, value: Any) -> NDArray[Any]:
    """A tensor of another library, through DLPack or the array interface."""
    if "bfloat16" in str(getattr(value, "dtype", "")) and (torch := sys.modules.get("torch")):
        import ml_dtypes  # noqa: PLC0415  costs start-up time, and few kernels need it

        return np.asarray(value.view(torch.int16)).view(ml_dtypes.bfloat16)
    try:
        if hasattr(value, "__array_interface__") or hasattr(value, "__array__"):
            return np.asarray(value)
        return np.from_dlpack(value)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise UsageError(
            f"{body.__name__}: argument {name} cannot be used in place: {error}; "
            "pass an array in the memory of the host"
        ) from error


def _place(hosts: dict[str, NDArray[Any]], given: dict[str, Any]) -> tuple[GlobalArray, ...]:
    """Give each host buffer an address, in order of the arguments."""
    roots = {name: _root(array) for name, array in hosts.items()}
    extents = _joined({name: _extent(root) for name, root in roots.items()})
    bases: dict[int, int] = {}
    free, out = 0, []
    for name, array in hosts.items():
        start, nbytes = extents[name]
        number = _number(_owner(given[name], array, roots[name]), start, nbytes)
        if number not in bases:
            bases[number] = free
            free += -(-max(nbytes, 1) // _ALIGN) * _ALIGN
        offset = array.ctypes.data - start
        address = bases[number] + offset
        out.append(GlobalArray(name, address, array.nbytes, dtype(array.dtype).name, array.shape, number, offset))
    return tuple(out)


def _root(array: NDArray[Any]) -> NDArray[Any]:
    """The array that ``array`` is a view of, if any; an empty one is a view of nothing."""
    while array.nbytes and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _owner(given: Any, array: NDArray[Any], root: NDArray[Any]) -> Any:
    """Who keeps the memory of an argument alive; the launch's own array if nothing can tell us when that ends."""
    if given is array:
        return root
    try:
        weakref.ref(given)
    except TypeError:  # an object with __slots__
        return root
    return given


def _extent(root: NDArray[Any]) -> tuple[int, int]:
    """Where on the host an array lies: its first byte, and how many."""
    low, high = np.lib.array_utils.byte_bounds(root)
    return low, high - low if root.nbytes else 0


def _joined(extents: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """For each extent all of the memory it is part of: extents with bytes in common become one."""
    joined: dict[str, tuple[int, int]] = {}
    together: list[str] = []
    first = last = 0
    for name, (low, nbytes) in sorted(extents.items(), key=lambda item: item[1]):
        if not together or low >= last:
            together, first, last = [], low, low
        together.append(name)
        last = max(last, low + nbytes)
        joined |= dict.fromkeys(together, (first, last - first))
    return joined


def places(array: NDArray[Any]) -> dict[int, int]:
    """The buffers of launches that ``array`` lies in, by number, and its first byte within each."""
    low, nbytes = _extent(array)
    return {
        number: low - start
        for (start, size), (number, owner) in _known.items()
        if start <= low and low + nbytes <= start + size and owner() is not None
    }


def _number(owner: Any, start: int, nbytes: int) -> int:
    """A number for a host buffer that later launches find again, as long as its owner lives."""
    key = (start, nbytes)
    found = _known.get(key)
    if found is not None and found[1]() is not None:
        return found[0]
    number = next(_numbers)
    _known[key] = (number, weakref.ref(owner, lambda gone: _forget(key, gone)))
    return number


def _forget(key: tuple[int, int], gone: Any) -> None:
    if key in _known and _known[key][1] is gone:
        del _known[key]
