"""As ``calls.py``: the functions of rows and columns, and those that move, choose or convert elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ascendc as asc
from tests.adv.calls import F32, Array, Call, Make, Out, blank, exact, padded
from tests.adv.calls import pitch_of as wide

adv = asc.adv
STEP = 2.0**-23


def quietly(make: Make) -> Make:
    """References meet infinities and NaN, too."""

    def call(x: Array, z: Array) -> Call:
        with np.errstate(all="ignore"):
            return make(x, z)

    return call


def blocks(numbers: Array, kind: Any) -> Array:
    """One block for each number."""
    return np.repeat(numbers.reshape(-1, 1).astype(kind), 32 // np.dtype(kind).itemsize, axis=1)


def powers_of(x: Array, top: Array | None = None) -> tuple[Array, Array, Array, Array]:
    """exp(x − max), its sum, the maximum, and the bound of a softmax in shares of the result."""
    v = exact(x)
    top = v.max(axis=1, keepdims=True) if top is None else top
    powers = np.exp(v - top)
    return powers, powers.sum(axis=1, keepdims=True), top, np.where(powers > 0, (4 + top - v) * STEP, 0)


def softmax(name: str) -> Make:
    def make(x: Array, _: Array) -> Call:
        (rows, columns), kind = x.shape, x.dtype
        pitch, block = wide(columns, kind), 32 // kind.itemsize
        powers, total, top, share = powers_of(x)
        result = powers / total
        if name == "log_softmax":
            result = exact(x) - top - np.log(total)
            allowed = np.maximum(1, abs(result)) * 2.0**-22
        else:
            allowed = share * result
        known = name == "simple_softmax"
        numbers = [(total, 2.0**-20 * total), (top, 0 * top)]
        given = [blocks(v, kind) if known else blank(rows * block, kind) for v, _ in numbers]
        if known:  # as the numbers are when rounded to the type
            total, top = (exact(v[:, :1]) for v in given)
            result = np.exp(exact(x) - top) / total
            allowed = share * result
        outs = {0: Out(result, pitch, allowed)}
        if not known:
            outs |= {
                at: Out(np.repeat(v, block, axis=1), block, np.repeat(a, block, axis=1))
                for at, (v, a) in enumerate(numbers, 1)
            }
        tiling, info = adv.soft_max_tiling_func((rows, pitch)), adv.SoftMaxShapeInfo(rows, pitch, rows, columns)

        def body(*t: Any) -> None:
            getattr(adv, name)(*t[:4], tiling, t[4], shape_info=info)

        sizes = getattr(adv, f"get_{name}_max_min_tmp_size")((rows, pitch), kind)
        return Call(body, [blank(rows * pitch, kind), *given, padded(x)], outs, sizes, src=3)

    return quietly(make)


def flash(x: Array, z: Array) -> Call:
    """The first part had sums 2 and maxima of the other matrix; numbers are float32."""
    (rows, columns), kind = x.shape, x.dtype
    pitch = wide(columns, kind)
    before = exact(z[:, :1].astype(F32))
    top = np.maximum(exact(x).max(axis=1, keepdims=True), before)
    powers, total, _, share = powers_of(x, top)
    scale = np.exp(before - top)
    total = total + 2 * scale
    loose = np.where(scale > 0, (4 + top - before) * STEP, 0)
    numbers = {1: (total, 2.0**-19 * total + 2 * scale * loose), 2: (top, 0 * top), 4: (scale, scale * loose)}
    outs = {at: Out(np.repeat(v, 8, axis=1), 8, np.repeat(a, 8, axis=1)) for at, (v, a) in numbers.items()}
    tiling, info = adv.soft_max_tiling_func((rows, pitch)), adv.SoftMaxShapeInfo(rows, pitch, rows, columns)

    def body(*t: Any) -> None:
        adv.softmax_flash_v2(*t[:7], tiling, t[7], is_update=True, shape_info=info)

    room = [blank(rows * 8, F32) for _ in range(3)]
    given = [blocks(np.full(rows, 2), F32), blocks(before, F32)]
    return Call(
        body,
        [blank(rows * pitch, kind), *room[:2], padded(x), room[2], *given],
        outs | {0: Out(powers, pitch, share * powers)},
        adv.get_softmax_flash_v2_max_min_tmp_size((rows, pitch), kind),
        src=3,
    )


def layernorm(x: Array, z: Array) -> Call:
    (rows, columns), kind = x.shape, x.dtype
    pitch, v, g = wide(columns, kind), exact(x), exact(z[0])
    mean, variance = v.mean(axis=1, keepdims=True), v.var(axis=1, keepdims=True)
    root = np.sqrt(variance + 1e-5)
    normal = (v - mean) / root
    single = 2.0**-22 * abs(v).mean(axis=1, keepdims=True)
    allowed = 2.0**-20 * abs(g) * (1 + abs(normal)) * np.maximum(1, abs(mean) / root) + 2.0**-22 * (1 + abs(g))
    outs = {
        0: Out(normal * g + g, pitch, allowed + 2.0**-22 * abs(normal * g)),
        1: Out(mean.T, rows, single.T),
        2: Out(variance.T, rows, (2.0**-20 * variance + 1.01 * single**2).T),
    }
    tiling = adv.get_layer_norm_nd_tiling_info((1, rows, pitch), columns)

    def body(*t: Any) -> None:
        adv.layernorm(*t[:6], 1e-5, tiling, t[6])

    arrays = [blank(rows * pitch, kind), blank(rows, kind), blank(rows, kind), padded(x), z[0], z[0].copy()]
    return Call(body, arrays, outs, adv.get_layernorm_max_min_tmp_size((1, rows, pitch), kind), src=3)


def rmsnorm(x: Array, z: Array) -> Call:
    (rows, columns), kind = x.shape, x.dtype
    pitch, v = wide(columns, kind), exact(x)
    wanted = v / np.sqrt((v * v).mean(axis=1, keepdims=True) + 1e-5) * exact(z[0])
    tiling = adv.get_rms_norm_tiling_info((rows, pitch), columns)

    def body(*t: Any) -> None:
        adv.rmsnorm(*t[:3], 1e-5, tiling, t[3])

    arrays = [blank(rows * pitch, kind), padded(x), z[0]]
    sizes = adv.get_rmsnorm_max_min_tmp_size((rows, pitch), kind)
    return Call(body, arrays, {0: Out(wanted, pitch, 2.0**-21 * abs(wanted))}, sizes)


def reduction(name: str, fold: Callable[..., Array], bound: Callable[[Array, int], Array | float], axis: int) -> Make:
    """Over an axis; ``bound`` is given the elements and that axis."""

    def make(x: Array, _: Array) -> Call:
        kind, pattern = x.dtype, (adv.ReducePattern.RA, adv.ReducePattern.AR)[axis]
        wanted = np.asarray(fold(exact(x), axis=axis)).reshape(1, -1)

        def body(dst: Any, src: Any, temp: Any) -> None:
            getattr(adv, f"reduce_{name}")(dst, src, x.shape, True, pattern, temp)

        outs = {0: Out(wanted, wanted.size, np.reshape(bound(exact(x), axis), (1, -1)))}
        sizes = getattr(adv, f"get_reduce_{name}_max_min_tmp_size")(x.shape, kind, pattern)
        return Call(body, [blank(wanted.size, kind), padded(x)], outs, sizes)

    return quietly(make)


def older(name: str, params: Any, fold: Any) -> Make:
    def make(x: Array, _: Array) -> Call:
        (rows, columns), kind = x.shape, x.dtype
        wanted, pitch = fold(exact(x), axis=1).reshape(1, -1), wide(columns, kind)
        allowed = 2.0**-21 * fold(abs(exact(x)), axis=1).reshape(1, -1)

        def body(dst: Any, src: Any, temp: Any) -> None:
            getattr(adv, name)(dst, src, params(rows, pitch, columns), temp)

        sizes = getattr(adv, f"get_{name}_max_min_tmp_size")((rows, pitch), kind)
        return Call(body, [blank(rows, kind), padded(x)], {0: Out(wanted, rows, allowed)}, sizes)

    return quietly(make)


def cumsum(axis: int) -> Make:
    def make(x: Array, _: Array) -> Call:
        (rows, columns), kind = x.shape, x.dtype
        pitch, info = wide(columns, kind), adv.CumSumInfo(rows, columns)
        wanted, allowed = exact(x).cumsum(axis), x.shape[axis] * 2.0**-24 * abs(exact(x)).cumsum(axis)

        def body(*t: Any) -> None:
            adv.cumsum(*t[:3], info, t[3], axis == 1, output_last_row=True)

        arrays = [blank(rows * pitch, kind), blank(columns, kind), padded(x)]
        outs = {0: Out(wanted, pitch, allowed), 1: Out(wanted[-1], columns, allowed[-1])}
        return Call(body, arrays, outs, adv.get_cumsum_max_min_tmp_size(x.shape, kind, axis == 1), src=2)

    return quietly(make)


def magnitudes(x: Array, axis: int) -> Array:
    return 2.0**-21 * np.asarray(abs(x).sum(axis=axis))


def mean_magnitudes(x: Array, axis: int) -> Array:
    return magnitudes(x, axis) / x.shape[axis]


def product_bound(x: Array, axis: int) -> Array:
    """One rounding for each factor, each of which may be one of the smallest numbers' steps."""
    return x.shape[axis] * 2.0**-24 * np.asarray(abs(x).prod(axis=axis))


def mean(x: Array, axis: int) -> Array:
    """By way of a sum that may overflow float32."""
    return exact(np.asarray(x.sum(axis=axis)).astype(F32)) / x.shape[axis]


def of_flags(lift: Any) -> Any:
    """Any or all of what is not zero, NaN if an element is."""

    def folded(x: Array, axis: int) -> Array:
        return np.where(np.isnan(x).any(axis=axis), np.nan, lift(x != 0, axis=axis))

    return folded


REDUCTIONS: dict[str, tuple[Any, Any]] = {
    "sum": (np.sum, magnitudes),
    "mean": (mean, mean_magnitudes),
    "max": (np.max, lambda x, axis: 0.0),
    "min": (np.min, lambda x, axis: 0.0),
    "prod": (np.prod, product_bound),
    "any": (of_flags(np.any), lambda x, axis: 0.0),
    "all": (of_flags(np.all), lambda x, axis: 0.0),
}
ROWS: dict[str, Make] = {
    **{name: softmax(name) for name in ("softmax", "log_softmax", "simple_softmax")},
    "softmax_flash_v2": quietly(flash),
    "layernorm": quietly(layernorm),
    "rmsnorm": quietly(rmsnorm),
    **{f"reduce_{n}": reduction(n, *how, axis=1) for n, how in REDUCTIONS.items()},
    **{f"reduce_{n} over rows": reduction(n, *how, axis=0) for n, how in REDUCTIONS.items()},
    "sum": older("sum", adv.SumParams, np.sum),
    "mean": older("mean", adv.MeanParams, mean),
    "cumsum": cumsum(1),
    "cumsum over rows": cumsum(0),
}
