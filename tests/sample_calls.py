"""One legal call of every vector instruction, on operands that are exactly as long as they must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ascendc as asc
from ascendc.language.core import current
from tests.scalar_interpreter import Operand
from tests.vector_calls import OPS, issue, prepare

COUNT = 64
"""Elements of a call in the count form."""

Tensors = Sequence[Any]


@dataclass(frozen=True)
class Sample:
    """A call.

    Attributes:
        name: of the instruction.
        roles: of its tensors, the destination first, as messages call them.
        contents: what they hold, and so their types and sizes.
        call: the call, from its tensors.
        masked: the form with a mask and repeats, if there is one: tensors, mask, repeats.
        lanes: of a repeat in that form.
        writes: whether the first tensor is written.
        may_start_anywhere: whether the destination is aligned to its results, and not to blocks.
    """

    name: str
    roles: tuple[str, ...]
    contents: tuple[NDArray[Any], ...]
    call: Callable[[Tensors], object]
    masked: Callable[[Tensors, Any, Any], object] | None = None
    lanes: int = 0
    writes: bool = True
    may_start_anywhere: bool = False

    def __str__(self) -> str:
        return "-".join([self.name, *(content.dtype.name for content in self.contents)])


def samples() -> list[Sample]:
    """At least one of every vector instruction that a kernel can call."""
    made = [_elementwise(op, op.dtypes[-1]) for op in OPS]
    for family in (_others, _comparing, _gathering, _sorting, _reducing):
        made += family()
    return made


def _filled(kinds: Sequence[Any], *sizes: int) -> tuple[NDArray[Any], ...]:
    """Operands whose contents are no result: the destination has other numbers than the sources."""
    return tuple(np.full(n, 3 if i else 77, k.numpy) for i, (k, n) in enumerate(zip(kinds, sizes, strict=True)))


def _elementwise(op: Any, kinds: Sequence[Any]) -> Sample:
    scalar = (1,) if op.immediates else ()
    if op.name == "cast":
        scalar = (asc.RoundMode.CAST_NONE if _has_none(kinds) else asc.RoundMode.CAST_RINT,)
    lanes = 256 // max(k.itemsize for k in kinds)
    operands = [Operand(0, k.numpy, 1, lanes * k.itemsize // 32) for k in kinds]

    def masked(tensors: Tensors, mask: Any, repeats: Any) -> None:
        prepare(op.name)
        issue(op, list(tensors), operands, scalar[0] if scalar else None, (mask, repeats))

    def call(tensors: Tensors) -> None:
        prepare(op.name)
        op(*tensors, *scalar, COUNT)

    return Sample(op.name, op.roles, _filled(kinds, *[COUNT] * len(kinds)), call, masked, lanes)


def _has_none(kinds: Sequence[Any]) -> bool:
    narrow = {("float16", "float16"), ("bfloat16", "int32"), ("float16", "int16"), ("float16", "int32")}
    pair = (kinds[1].name, kinds[0].name)
    wide_float = kinds[1].name == "float32" and kinds[0].name in ("int16", "int32", "int64", "bfloat16", "float32")
    return pair not in narrow and pair != ("int64", "float32") and not wide_float


def _others() -> list[Sample]:
    f16, f32, i16, i8, i32 = asc.float16, asc.float32, asc.int16, asc.int8, asc.int32

    def cast_deq(t: Tensors) -> None:
        asc.set_deq_scale(1.0, 0, True)
        asc.cast_deq(*t, COUNT, is_vec_deq=False, half_block=False)

    def cast_deq_masked(t: Tensors, mask: Any, repeats: Any) -> None:
        asc.set_deq_scale(1.0, 0, True)
        asc.cast_deq(*t, mask, repeats, asc.UnaryRepeatParams(), True, False, False)

    def cast_deq_half(t: Tensors) -> None:
        asc.set_deq_scale(1.0)
        asc.cast_deq(*t, COUNT)

    two, copying = ("dst", "src"), asc.CopyRepeatParams(1, 1, 8, 8)
    return [
        Sample("cast_deq", two, _filled((i8, i16), 3 * 32 + 16, COUNT), cast_deq, cast_deq_masked, 128),
        Sample("cast_deq", two, _filled((f16, i32), COUNT, COUNT), cast_deq_half),
        *[
            Sample("create_vec_index", ("dst",), _filled((k,), COUNT), lambda t: asc.create_vec_index(*t, 0, COUNT),
                   lambda t, mask, repeats: asc.create_vec_index(*t, 0, mask, repeats, 1, 8), 256 // k.itemsize)
            for k in (asc.float32,)
        ],
        *[
            Sample("copy", two, _filled(kinds, COUNT, COUNT), lambda t: asc.copy(*t, COUNT, 1, copying),
                   lambda t, mask, repeats: asc.copy(*t, mask, repeats, copying), 256 // kinds[0].itemsize)
            for kinds in asc.ISA["copy"].dtypes[-1:]
        ],
        *[
            Sample("brcb", ("dst", "src0"), _filled(kinds, 256 // kinds[0].itemsize, 8),
                   lambda t: asc.brcb(*t, 1, asc.BrcbRepeatParams()))
            for kinds in asc.ISA["brcb"].dtypes[-1:]
        ],
        *[
            Sample("transpose", two, _filled((k, k), 256, 256), lambda t: asc.transpose(*t))
            for k in (asc.float16,)
        ],
        Sample("transpose", (*two, "shared_tmp_buffer"), _filled((f32, f32, asc.uint8), 16, 16, 4 * 512),
               lambda t: asc.transpose(*t, asc.TransposeParamsExt(1, 2, 2, 4, asc.TransposeType.TRANSPOSE_NCHW2NHWC))),
        *[
            Sample("trans_data_to_5hd", two, _filled((k, k), 512 // k.itemsize, 512 // k.itemsize), _rows_of(k))
            for k in (asc.float16, asc.float32)
        ],
    ]  # fmt: skip


def _rows_of(kind: Any) -> Callable[[Tensors], None]:
    width = 32 // kind.itemsize

    def call(t: Tensors) -> None:
        lists = [[tensor[width * i :] for i in range(16)] for tensor in t]
        asc.trans_data_to_5hd(*lists, asc.TransDataTo5HDParams(False, False, 1, 0, 0))

    return call


def _comparing() -> list[Sample]:
    out, equal, bits = [], asc.CMPMODE.EQ, (asc.uint8,)
    for to, kind, _ in asc.ISA["compare"].dtypes[:1]:
        width = 256 // kind.itemsize
        two, one = _filled((to, kind, kind), width // 8, width, width), _filled((to, kind), width // 8, width)
        out += [
            Sample("compare", ("dst", "src0", "src1"), two, lambda t, n=width: asc.compare(*t, equal, n),
                   lambda t, mask, repeats: asc.compare(*t, equal, mask, repeats, asc.BinaryRepeatParams()), width),
            Sample("compare_scalar", ("dst", "src0"), one, lambda t, n=width: asc.compare_scalar(*t, 1, equal, n),
                   lambda t, mask, repeats: asc.compare_scalar(*t, 1, equal, mask, repeats, asc.UnaryRepeatParams()),
                   width),
        ]  # fmt: skip
    for kind in (asc.float16,):
        for mode in asc.SelMode:
            scalar = mode is asc.SelMode.VSEL_TENSOR_SCALAR_MODE
            out.append(_selecting(kind, mode, 2 if scalar else 3))

    def read(t: Tensors) -> None:
        current().cmp_mask = 0b101
        asc.get_cmp_mask(*t)

    return [
        *out,
        Sample("get_cmp_mask", ("dst",), _filled(bits, 16), read),
        Sample("set_cmp_mask", ("src",), _filled(bits, 16), lambda t: asc.set_cmp_mask(*t), writes=False),
    ]


def _selecting(kind: Any, mode: Any, sources: int) -> Sample:
    roles = ("dst", "src0", "src1")[:sources]
    rest: tuple[Any, ...] = () if sources == 3 else (1.0,)
    lanes = 256 // kind.itemsize

    def call(t: Tensors) -> None:
        *operands, bits = t
        asc.select(operands[0], bits, *operands[1:], *rest, mode, COUNT)

    def masked(t: Tensors, mask: Any, repeats: Any) -> None:
        *operands, bits = t
        asc.select(operands[0], bits, *operands[1:], *rest, mode, mask, repeats, asc.BinaryRepeatParams())

    contents = (*_filled((kind,) * sources, *[COUNT] * sources), np.zeros(8, np.uint8))
    return Sample("select", (*roles, "sel_mask"), contents, call, masked, lanes)


def _gathering() -> list[Sample]:
    out = []
    for kind, _, _ in asc.ISA["gather"].dtypes[:1]:
        both = _filled((kind, kind), COUNT, COUNT)
        offsets = np.arange(COUNT, dtype=np.uint32) * np.uint32(kind.itemsize)
        for name, role in (("gather", "src_offset"), ("scatter", "dst_offset")):
            op = asc.ISA[name]
            out.append(
                Sample(name, ("dst", "src", role), (*both, offsets), lambda t, op=op: op(*t, 0, COUNT),
                       lambda t, mask, repeats, op=op: op(*t, 0, mask, repeats, 8), 256 // kind.itemsize)
            )  # fmt: skip
    for kind, _, _ in asc.ISA["gatherb"].dtypes:
        width = 256 // kind.itemsize
        offsets = np.arange(0, 256, 32, dtype=np.uint32)
        out.append(
            Sample("gatherb", ("dst", "src0", "offset"), (*_filled((kind, kind), width, width), offsets),
                   lambda t: asc.gatherb(*t, 1, asc.GatherRepeatParams()))
        )  # fmt: skip
    for kind, _, words in asc.ISA["gather_mask"].dtypes[:1]:
        width = 256 // kind.itemsize
        pattern = np.full(width // (8 * words.itemsize), -1).astype(words.numpy)
        out.append(
            Sample("gather_mask", ("dst", "src0", "src1_pattern"), (*_filled((kind, kind), width, width), pattern),
                   lambda t: asc.gather_mask(*t, False, 0, asc.GatherMaskParams()))
        )  # fmt: skip
    return out


def _sorting() -> list[Sample]:
    out = []
    for kind in (asc.float16, asc.float32):
        record = 8 // kind.itemsize

        def merge(t: Tensors, kind: Any = kind) -> None:
            asc.mrg_sort(t[0], asc.MrgSortSrcList(kind, *t[1:]), asc.MrgSort4Info([8, 8, 0, 0], False, 0b11, 1))

        out += [
            Sample("sort32", ("dst", "src0", "src1"), _filled((kind, kind, asc.uint32), 32 * record, 32, 32),
                   lambda t: asc.sort32(*t, 1)),
            Sample("mrg_sort", ("dst", "src1", "src2"), _filled((kind,) * 3, *(n * record for n in (16, 8, 8))), merge),
        ]  # fmt: skip
    return out


def _reducing() -> list[Sample]:
    out = []
    two, three = ("dst", "src"), ("dst", "src", "shared_tmp_buffer")
    for kind in (asc.float16,):
        n = 256 // kind.itemsize

        def per_repeat(name: str, results: int, *, packed: bool, kind: Any = kind, n: int = n) -> Sample:
            op = asc.ISA[name]
            late, old = name.startswith("whole"), name.startswith("repeat")

            def masked(t: Tensors, mask: Any, repeats: Any) -> None:
                first = (mask, repeats) if late else (repeats, mask)
                op(*t, *first, *((1, 1, 1, 8) if old else (1, 1, 8)))

            contents = _filled((kind, kind), results, n)
            return Sample(name, two, contents, lambda t: masked(t, n, 1), masked, n, may_start_anywhere=packed)

        for which in ("sum", "max", "min"):
            whole = per_repeat(f"whole_reduce_{which}", 1 if which == "sum" else 2, packed=which == "sum")
            out += [whole, per_repeat(f"block_reduce_{which}", 8, packed=False)]
            op, tensor = asc.ISA[f"reduce_{which}"], f"reduce_{which}"
            out.append(
                Sample(tensor, three, _filled((kind,) * 3, 1, 2 * n, 32 // kind.itemsize),
                       lambda t, op=op, n=n: op(*t, n, 2, 8),
                       lambda t, mask, repeats, op=op: op(*t, mask, repeats, 8), n, may_start_anywhere=True)
            )  # fmt: skip
        out.append(per_repeat("pair_reduce_sum", n // 2, packed=False))
        out.append(per_repeat("repeat_reduce_sum", 1, packed=True))
    return out
