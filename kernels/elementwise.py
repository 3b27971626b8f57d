"""Operators of one instruction per tile: unary, with a number, and those that add to their destination.

One kernel runs them all; an operator that accumulates takes what its destination holds before as a second input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ascendc as asc
from ascendc.language.isa.vector import VectorOp
from ascendc.language.isa.vector_scalar import Scalar
from ascendc.language.isa.vector_unary import Unary

from .tiling import Array, Tiling, split
from .transfer import copy_in, copy_out, window

Compute = Callable[..., None]
"""``compute(dst, *sources, count)``: a vector instruction, or a device function of some."""


@asc.kernel
def elementwise_kernel(
    compute: Compute,
    tiling: Tiling,
    x: asc.GlobalAddress,
    y: asc.GlobalAddress | None = None,
    *,
    z: asc.GlobalAddress,
) -> None:
    """z = compute(x, y) or compute(x), double-buffered."""
    start, length = tiling.part(asc.get_block_idx())
    if not length:
        return
    target, sources = window(z, start, length), [window(a, start, length) for a in (x, y) if a is not None]

    pipe = asc.TPipe()
    results = asc.TQue(asc.TPosition.VECOUT, 1)
    operands = [asc.TQue(asc.TPosition.VECIN, 1) for _ in sources]
    for queue in (results, *operands):
        pipe.init_buffer(queue, 2, tiling.tile * target.dtype.sizeof())

    for at in range(0, length, tiling.tile):
        count = min(tiling.tile, length - at)
        for queue, source in zip(operands, sources, strict=True):
            copy_in(queue, source[at:], count)
        run(compute, results, operands, target.dtype, count)
        copy_out(target[at:], results, count)


@asc.compute
def run(compute: Compute, results: asc.TQue, operands: list[asc.TQue], dtype: asc.DataType, count: int) -> None:
    """Compute one tile of the results from the oldest tensors of the operands."""
    tensors = [queue.deque(dtype) for queue in operands]
    result = results.alloc_tensor(dtype)
    compute(result, *tensors, count)
    results.enque(result)
    for queue, tensor in zip(operands, tensors, strict=True):
        queue.free_tensor(tensor)


def _operator(
    instruction: VectorOp, reference: Callable[..., Any], compute: Compute, *, inputs: int = 1, number: float = 0
) -> asc.Operator:
    """The operator that runs ``compute`` on each tile, in every element type of ``instruction``.

    Args:
        instruction: what it is named and documented after.
        reference: its result of float64 (or int64) operands; it is rounded once.
        compute: see ``Compute``.
        inputs: arrays it takes.
        number: what stands for the scalar of the instruction, if it has one.
    """

    def host(*arrays: Any) -> asc.Program:
        *sources, z, blocks = arrays
        tiling = split(z, blocks, buffers=2 * (inputs + 1))
        return elementwise_kernel[blocks](compute, tiling, *sources, z=z)

    def rounded_once(*sources: Array) -> Array:
        dtype = sources[0].dtype
        wide = np.int64 if dtype.kind == "i" else np.float64
        return np.asarray(reference(*(s.astype(wide) for s in sources)).astype(dtype))

    host.__doc__ = instruction.doc.partition("\n")[0].replace("scalar", str(number))
    dtypes = tuple(kinds[0].name for kinds in instruction.dtypes if len(set(kinds)) == 1)
    return asc.operator(name=instruction.name, reference=rounded_once, inputs=inputs, dtypes=dtypes)(host)


def _unary(instruction: Unary, reference: Callable[..., Any]) -> asc.Operator:
    return _operator(instruction, reference, instruction)


def _scalar(instruction: Scalar, number: float, reference: Callable[..., Any]) -> asc.Operator:
    def compute(dst: asc.LocalTensor, src: asc.LocalTensor, count: int) -> None:
        instruction(dst, src, number, count)

    return _operator(instruction, lambda x: reference(x, number), compute, number=number)


def _accumulating(instruction: Scalar, number: float, reference: Callable[..., Any]) -> asc.Operator:
    def compute(dst: asc.LocalTensor, src: asc.LocalTensor, old: asc.LocalTensor, count: int) -> None:
        whole_blocks = asc.ceildiv(count * old.dtype.sizeof(), 32) * 32
        asc.data_copy(dst, old, whole_blocks // old.dtype.sizeof())
        instruction(dst, src, number, count)

    return _operator(instruction, lambda x, old: reference(x, number, old), compute, inputs=2, number=number)


abs = _unary(asc.abs, np.abs)
exp = _unary(asc.exp, np.exp)
ln = _unary(asc.ln, np.log)
sqrt = _unary(asc.sqrt, np.sqrt)
rsqrt = _unary(asc.rsqrt, lambda x: 1 / np.sqrt(x))
reciprocal = _unary(asc.reciprocal, lambda x: 1 / x)
relu = _unary(asc.relu, lambda x: np.maximum(x, 0))

adds = _scalar(asc.adds, 2, np.add)
muls = _scalar(asc.muls, 3, np.multiply)
maxs = _scalar(asc.maxs, 1, np.maximum)
mins = _scalar(asc.mins, 1, np.minimum)
leaky_relu = _scalar(asc.leaky_relu, 0.125, lambda x, slope: np.where(x >= 0, x, slope * x))

axpy = _accumulating(asc.axpy, 1.5, lambda x, factor, old: old + factor * x)
