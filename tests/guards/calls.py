"""One right call of each family of instructions and high-level functions, to be made wrong in one argument.

Each is a function of a global tensor of 64 float32 that gives what is called and its arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ascendc as asc
from ascendc import adv
from tests.block import local, ones, tensor

Call = tuple[Callable[..., Any], list[Any]]
CALLS: dict[str, Callable[[Any], Call]] = {}

H, F, U, B = asc.half, asc.float32, asc.uint32, asc.uint8
BINARY, UNARY, LT = asc.BinaryRepeatParams(), asc.UnaryRepeatParams(), asc.CMPMODE.LT
SCALAR, TENSOR = asc.SelMode.VSEL_TENSOR_SCALAR_MODE, asc.SelMode.VSEL_TENSOR_TENSOR_MODE


def call(name: str, op: Callable[..., Any], *arguments: Callable[[Any], Any]) -> None:
    """Declare one: a function of the global tensor for each argument."""
    CALLS[name] = lambda x: (op, [made(x) for made in arguments])


def z(kind: asc.DataType = F, count: int = 64, address: int = 512) -> Callable[[Any], Any]:
    """A tensor to be written."""
    return lambda _: local(kind, count, address)


def x(kind: asc.DataType = F, count: int = 64, address: int = 0) -> Callable[[Any], Any]:
    """A tensor to be read."""
    return lambda _: ones(kind, count, address)


def is_(value: Any) -> Callable[[Any], Any]:
    """Anything that is no tensor."""
    return lambda _: value


def offsets(*values: int) -> Callable[[Any], Any]:
    """Byte offsets."""
    return lambda _: tensor(np.array(values, np.uint32), 1024)


def rows(address: int) -> Callable[[Any], Any]:
    """16 rows of a block each."""
    return lambda _: [ones(H, 16, address + 32 * i) for i in range(16)]


def lists(_: Any) -> asc.MrgSortSrcList:
    """Two lists of one record each."""
    return asc.MrgSortSrcList(F, ones(F, 2), ones(F, 2, 256))


def array(x: Any) -> Any:
    """The global tensor itself."""
    return x


ROOM = z(B, 16_384, 16_384)
S = asc.SliceInfo(0, 7, 0, 1, 64)

call("binary, count", asc.add, z(), x(), x(), is_(64))
call("binary, mask", asc.add, z(), x(), x(), is_(64), is_(1), is_(BINARY))
call("unary, bits", asc.abs, z(), x(), is_([1, 0]), is_(1), is_(UNARY))
call("scalar, count", asc.adds, z(), x(), is_(1), is_(64))
call("scalar, mask", asc.adds, z(), x(), is_(1), is_(64), is_(1), is_(UNARY), is_(True))
call("shift", asc.shift_left, z(asc.int32), x(asc.int32), is_(1), is_(64))
call("fused", asc.mul_add_dst, x(F, 64, 512), x(), x(), is_(64))
call("fill, count", asc.duplicate, z(), is_(1), is_(64))
call("fill, mask", asc.duplicate, z(), is_(1), is_(64), is_(1), is_(1), is_(8))
call("index", asc.create_vec_index, z(), is_(1), is_(64))
call("cast", asc.cast, z(asc.int32), x(), is_(asc.RoundMode.CAST_RINT), is_(64))
call("compare", asc.compare, z(B, 32), x(), x(), is_(LT), is_(64))
call("compare, register", asc.compare, x(), x(), is_(LT), is_(64), is_(BINARY))
call("compare_scalar", asc.compare_scalar, z(B, 32), x(), is_(1), is_(LT), is_(64))
call("select", asc.select, z(), x(B, 32, 1024), x(), x(), is_(TENSOR), is_(64))
call("select, scalar", asc.select, z(), x(B, 32, 1024), x(), is_(1.0), is_(SCALAR), is_(64))
call("sum of repeats", asc.whole_reduce_sum, z(F, 8), x(), is_(64), is_(1), is_(1), is_(1), is_(8))
call(
    "maximum of repeats",
    *(asc.whole_reduce_max, z(F, 8), x(), is_(64), is_(1), is_(1), is_(1), is_(8)),
    is_(asc.ReduceOrder.ORDER_ONLY_VALUE),
)
call("sum of blocks", asc.block_reduce_sum, z(F, 8), x(), is_(1), is_(64), is_(1), is_(1), is_(8))
call("sum, count", asc.reduce_sum, z(F, 8), x(), z(F, 64, 1024), is_(64))
call("sum, mask", asc.reduce_sum, z(F, 8), x(), z(F, 64, 1024), is_(64), is_(1), is_(8))
call("maximum", asc.reduce_max, z(F, 8), x(), z(F, 64, 1024), is_(64), is_(True))
call("brcb", asc.brcb, z(), x(F, 8), is_(1), is_(asc.BrcbRepeatParams()))
call("copy", asc.copy, z(), x(), is_(64), is_(1), is_(asc.CopyRepeatParams(1, 1, 8, 8)))
call("gather", asc.gather, z(), x(), offsets(0, 4), is_(0), is_(2))
call("scatter", asc.scatter, z(), x(), offsets(0, 4), is_(0), is_(2))
call("gatherb", asc.gatherb, z(U), x(U), offsets(*range(0, 256, 32)), is_(1), is_(asc.GatherRepeatParams()))
call("gather_mask", asc.gather_mask, z(), x(), is_(1), is_(True), is_(64), is_(asc.GatherMaskParams(1, 1, 8, 0)))
call("merge", asc.mrg_sort, z(F, 64, 2048), lists, is_([1, 1]), lambda _: [0, 0], is_(3), is_(1))
call("merge, info", asc.mrg_sort, z(F, 64, 2048), lists, is_(asc.MrgSort4Info([1, 1], False, 3)))
call("sort32", asc.sort32, z(F, 64, 2048), x(F, 32), x(U, 32, 256), is_(1))
call("5hd", asc.trans_data_to_5hd, rows(0), rows(512), is_(asc.TransDataTo5HDParams()))
call(
    "5hd, addresses",
    asc.trans_data_to_5hd,
    is_([*range(1024, 1536, 32)]),
    rows(0),
    is_(asc.TransDataTo5HDParams()),
    is_(H),
)
call("transpose", asc.transpose, z(H, 256, 1024), x(H, 256))
call(
    "transpose, image",
    *(asc.transpose, z(H, 16), x(H, 16), z(B, 4096, 2048)),
    is_(asc.TransposeParamsExt(1, 1, 4, 4, asc.TransposeType.TRANSPOSE_NCHW2NHWC)),
)
call("scale", asc.set_deq_scale, is_(1.0), is_(0), is_(True))
call("scales", asc.set_deq_scale, z(asc.uint64, 16), is_(asc.VdeqInfo()))
call("data_copy, count", asc.data_copy, z(), array, is_(64))
call("data_copy, rows", asc.data_copy, z(), array, is_(asc.DataCopyParams(1, 8)))
call("data_copy, slices", asc.data_copy, z(), array, is_([S]), is_([S]), is_(1))
call(
    "data_copy_pad, in",
    asc.data_copy_pad,
    z(),
    array,
    is_(asc.DataCopyExtParams(1, 4)),
    is_(asc.DataCopyPadExtParams()),
)
call("data_copy_pad, out", asc.data_copy_pad, array, x(), is_(asc.DataCopyExtParams(1, 4)))
CALLS["set_value"] = lambda x: (x.set_value, [0, 1])
call("mask register", lambda n, kind: asc.set_vector_mask(n, dtype=kind), is_(1), is_(F))
call("scalar_cast", asc.scalar_cast, is_(1.0), is_(H), is_(asc.RoundMode.CAST_RINT))
call("bits", asc.scalar_get_sff_value, is_(1), is_(1))
call("atomic", asc.set_atomic_add, is_(F))
call("cache", asc.data_cache_clean_and_invalid, is_(asc.CacheLine.SINGLE_CACHE_LINE), array)
call("preload", asc.data_cache_preload, array, is_(0))

call("adv.sigmoid", adv.sigmoid, z(), x(), is_(64), ROOM)
call("adv.swish", adv.swish, z(), x(), is_(64), is_(1.0), ROOM)
call("adv.power", adv.power, z(), x(), x(F, 64, 1024), is_(64), ROOM)
call("adv.where", adv.where, z(), x(), is_(1.0), x(B, 64, 1024), is_(64), ROOM)
call("adv.dropout", adv.dropout, z(), x(), x(B, 64, 1024), is_(0.5), is_(adv.DropOutShapeInfo(1, 64)), ROOM)
call("adv.quant", adv.quant, z(asc.int8), x(), is_(1.0), is_(0.0), is_(64), ROOM)
call("adv.dequant", adv.dequant, z(), x(asc.int32), is_(1.0), is_(adv.DequantParams(1, 64)), ROOM)
call("adv.anti_quant", adv.anti_quant, z(H), x(asc.int8), is_(1.0), is_(0.0), is_(None), ROOM)
call("adv.arange", adv.arange, z(), is_(1), is_(1), is_(64))
call("adv.broadcast", adv.broadcast, z(), x(F, 8), is_((8, 8)), is_((1, 8)), ROOM)
call("adv.cumsum", adv.cumsum, z(), is_(None), x(), is_(adv.CumSumInfo(8, 8)), ROOM)
call("adv.fill", adv.fill, array, is_(64), is_(1.0), ROOM)
call("adv.pad", adv.pad, z(), x(F, 8), is_(adv.PadParams(0, 8)), is_(adv.PadTiling(1, 8)), ROOM)
call("adv.unpad", adv.unpad, z(), x(F, 8), is_(adv.UnPadParams(0, 1)), is_(adv.UnPadTiling(1, 8)), ROOM)
call("adv.reduce_sum", adv.reduce_sum, z(F, 8), x(), is_((8, 8)), is_(True), is_(adv.ReducePattern.AR), ROOM)
call("adv.softmax", adv.softmax, z(), z(F, 64, 1024), z(F, 64, 1536), x(), is_(adv.SoftMaxTiling(8, 8)), ROOM)
call("adv.rmsnorm", adv.rmsnorm, z(), x(), x(F, 8, 1024), is_(1.0), is_(adv.get_rms_norm_tiling_info((8, 8))), ROOM)
call(
    "adv.layernorm",
    *(adv.layernorm, z(), z(F, 8, 2048), z(F, 8, 2304), x(), x(F, 8, 1024), x(F, 8, 1280), is_(1.0)),
    *(is_(adv.get_layer_norm_nd_tiling_info((8, 8))), ROOM),
)
call(
    "adv.top_k",
    *(adv.top_k, z(F, 8), z(asc.int32, 8, 1024), x(F, 32), is_(None), is_(None), is_(8)),
    *(is_(adv.top_k_tiling_func(32, 1, 8)), is_(adv.TopKInfo(1, 32)), is_(True), ROOM),
)
call("adv.sum", adv.sum, z(F, 8), x(), is_(adv.SumParams(8, 8, 8)), ROOM)
