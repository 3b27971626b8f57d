"""As ``calls.py``: the functions that move, make, choose or convert elements; all of these calls are exact."""

from __future__ import annotations

from typing import Any

import numpy as np

import ascendc as asc
from tests.adv.calls import F32, I32, Array, Call, Make, Out, blank, exact, padded
from tests.adv.calls import pitch_of as wide

adv = asc.adv


def arange(x: Array, _: Array) -> Call:
    """From −3 in steps of 2, which are whole numbers."""
    count, kind = x.size, x.dtype
    outs = {0: Out(-3.0 + 2 * np.arange(count), count)}
    return Call(lambda y, _: adv.arange(y, -3, 2, count), [blank(count, kind)], outs)


def broadcast(x: Array, _: Array) -> Call:
    """A column, packed, along rows of whole blocks."""
    kind, rows, pitch = x.dtype, len(x), wide(x.shape[1], x.dtype)
    column = x[:, 0].copy()

    def body(dst: Any, src: Any, temp: Any) -> None:
        adv.broadcast(dst, src, (rows, pitch), (rows, 1), temp, src_pitch=1)

    outs = {0: Out(np.repeat(column[:, None], pitch, axis=1), pitch)}
    sizes = adv.get_broadcast_max_min_tmp_size((rows, pitch), (rows, 1), kind)
    return Call(body, [blank(rows * pitch, kind), column], outs, sizes)


def pad(x: Array, _: Array) -> Call:
    """Rows without gaps, and 9 around them."""
    (rows, columns), kind = x.shape, x.dtype
    width = wide(columns + 3, kind)
    params, tiling = adv.PadParams(3, width - columns - 3, 9), adv.pad_tiling_func(x.shape)
    wanted = np.full((rows, width), 9.0)
    wanted[:, 3 : 3 + columns] = exact(x)
    sizes = adv.get_pad_max_min_tmp_size(x.shape, kind, params)
    arrays = [blank(rows * width, kind), x.reshape(-1)]
    return Call(lambda d, s, t: adv.pad(d, s, params, tiling, t), arrays, {0: Out(wanted, width)}, sizes)


def unpad(x: Array, _: Array) -> Call:
    """Rows of whole blocks without their first element and all behind the last."""
    (rows, columns), kind = x.shape, x.dtype
    width = wide(columns, kind)
    params, tiling = adv.UnPadParams(1, width - columns), adv.unpad_tiling_func((rows, width))
    kept = x[:, 1:].reshape(-1)
    arrays = [blank(kept.size, kind), padded(x, 0)]
    sizes = adv.get_unpad_max_min_tmp_size((rows, width), kind)
    outs = {0: Out(kept, max(kept.size, 1))}
    return Call(lambda d, s, t: adv.unpad(d, s, params, tiling, t), arrays, outs, sizes)


def where(x: Array, z: Array) -> Call:
    """From the first where the second is positive, else a number."""
    count, kind = x.size, x.dtype
    yes = (np.nan_to_num(exact(z)) > 0).reshape(-1).astype(np.uint8) * 3
    wanted = np.where(yes, exact(x).reshape(-1), 5.0)

    def body(y: Any, a: Any, c: Any, temp: Any) -> None:
        adv.where(y, a, 5, c, count, temp)

    sizes = adv.get_where_max_min_tmp_size(count, kind, 1)
    return Call(body, [blank(count, kind), x.reshape(-1), yes], {0: Out(wanted, count)}, sizes)


def dropout(x: Array, z: Array) -> Call:
    """With bytes, half of them kept and doubled."""
    count, kind = x.size, x.dtype
    keep = (np.nan_to_num(exact(z)) > 0).reshape(-1).astype(np.uint8)
    with np.errstate(all="ignore"):
        wanted = np.where(keep, exact(x).reshape(-1) * 2, 0)
    info = adv.DropOutShapeInfo(1, count)

    def body(y: Any, a: Any, m: Any, temp: Any) -> None:
        adv.dropout(y, a, m, 0.5, info, temp, drop_out_mode=1)

    sizes = adv.get_dropout_max_min_tmp_size(count, kind)
    return Call(body, [blank(count, kind), x.reshape(-1), keep], {0: Out(wanted, count)}, sizes)


def top_k(x: Array, _: Array) -> Call:
    """Half of the row, in order; rows are padded to runs of 32 with what must not count."""
    (rows, columns), kind = x.shape, x.dtype
    inner, k = -(-columns // 32) * 32, -(-columns // 2)
    src = np.full((rows, inner), 7777).astype(kind)
    src[:, :columns] = np.nan_to_num(x)
    order = np.argsort(-exact(src[:, :columns]), axis=1, kind="stable")[:, :k]
    tiling, info = adv.top_k_tiling_func(inner, rows, k), adv.TopKInfo(rows, inner, columns)

    def body(value: Any, index: Any, s: Any, temp: Any) -> None:
        adv.top_k(value, index, s, None, None, k, tiling, info, True, temp)

    outs = {0: Out(np.take_along_axis(exact(src), order, axis=1), wide(k, kind)), 1: Out(order, wide(k, I32))}
    arrays = [blank(rows * wide(k, kind), kind), blank(rows * wide(k, I32), I32), src]
    return Call(body, arrays, outs, adv.get_top_k_max_min_tmp_size(inner, kind), src=2)


def quant(x: Array, _: Array) -> Call:
    """Halves, so that ties occur; sums are exact below 2²⁴."""
    count = x.size
    halves = np.rint(np.nan_to_num(exact(x), posinf=900, neginf=-900).reshape(-1).clip(-900, 900)) / 2
    wanted = np.rint(halves * 2 + 0.5).clip(-128, 127)
    sizes = adv.get_quant_max_min_tmp_size(count, x.dtype)
    arrays = [blank(count, np.int8), halves.astype(x.dtype)]
    return Call(lambda y, v, t: adv.quant(y, v, 2.0, 0.5, count, t), arrays, {0: Out(wanted, count)}, sizes)


def dequant(x: Array, z: Array) -> Call:
    """Small whole numbers, times one factor for each column, in rows of whole blocks of int32."""
    (rows, columns), kind = x.shape, x.dtype
    n = wide(columns, I32)
    whole = np.rint(np.nan_to_num(exact(x)).clip(-99, 99)).astype(I32)
    factor = np.nan_to_num(z[0].astype(F32), posinf=1, neginf=1)
    with np.errstate(all="ignore"):
        wanted = exact(whole * factor)
    params = adv.DequantParams(rows, n, columns)
    pitch = wide(n, kind)

    def body(y: Any, v: Any, s: Any, temp: Any) -> None:
        adv.dequant(y, v, s, params, temp)

    arrays = [blank(rows * pitch, kind), padded(whole), factor]
    sizes = adv.get_dequant_max_min_tmp_size((rows, columns), kind)
    return Call(body, arrays, {0: Out(wanted, pitch)}, sizes)


def anti_quant(is_transpose: bool) -> Make:
    """Rows of 32 elements, with numbers for each column or each row; in steps of a half up to 16, which are exact."""

    def make(x: Array, _: Array) -> Call:
        kind, rows = x.dtype.type, -(-x.size // 32)
        whole = np.arange(rows * 32).reshape(rows, 32).astype(np.int8)
        numbers = np.arange(rows if is_transpose else 32) % 5 / 2
        along = numbers[:, None] if is_transpose else numbers
        wanted = (whole + along) * (along - 1)
        given = [numbers.astype(kind), (numbers - 1).astype(kind)]

        def body(y: Any, v: Any, offset: Any, scale: Any, temp: Any) -> None:
            adv.anti_quant(y, v, offset, scale, None, temp, is_transpose)

        sizes = adv.get_anti_quant_max_min_tmp_size(whole.size, kind, len(numbers), is_transpose)
        return Call(body, [blank(whole.size, kind), whole.reshape(-1), *given], {0: Out(wanted, 32)}, sizes)

    return make


MOVES: dict[str, Make] = {
    "arange": arange,
    "broadcast": broadcast,
    "pad": pad,
    "unpad": unpad,
    "where": where,
    "dropout": dropout,
    "top_k": top_k,
    "quant": quant,
    "dequant": dequant,
    "anti_quant": anti_quant(False),
    "anti_quant by rows": anti_quant(True),
}
