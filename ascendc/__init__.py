"""An Ascend C-like kernel language in Python: ``import ascendc as asc``.

Kernels run exactly on NumPy data and leave a Program; ``simulator.simulate`` times it on a model of the
chip, ``profiler.profile`` shows what limits it.  Nothing in here knows about time.
"""

from __future__ import annotations

from .language.buffers import TQue, TQueBind
from .language.compare import compare_stage
from .language.dtypes import (
    DataType,
    bfloat16,
    bool_,
    dtype,
    float16,
    float32,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .language.enums import CacheMode, CacheRwMode, HardEvent, KernelType, PipeID, RoundMode, TPosition
from .language.errors import (
    AlignmentError,
    AscendError,
    CapacityError,
    DeadlockError,
    DtypeError,
    EventError,
    HardwareSpecError,
    HazardError,
    OutOfBoundsError,
    OverlapError,
    PositionError,
    QueueStateError,
    RangeError,
    UninitializedError,
    UsageError,
)
from .language.findings import Finding, Severity
from .language.hardware import HardwareSpec
from .language.hazards import hazards
from .language.isa import ISA
from .language.isa.dma import data_copy
from .language.isa.dma_pad import data_copy_pad
from .language.isa.scalar import set_pad_value
from .language.isa.sync import pipe_barrier, set_flag, wait_flag
from .language.isa.vector_binary import add, div, max, min, mul, sub
from .language.isa.vector_cast import cast
from .language.isa.vector_fill import duplicate
from .language.isa.vector_scalar import adds, axpy, leaky_relu, maxs, mins, muls
from .language.isa.vector_unary import abs, exp, ln, reciprocal, relu, rsqrt, sqrt
from .language.kernel import Kernel, defaults, get_block_idx, get_block_num, kernel, observe, use_chip
from .language.memory import GlobalAddress, GlobalTensor, LocalTensor
from .language.operator import Operator, operator
from .language.params import (
    BinaryRepeatParams,
    DataCopyExtParams,
    DataCopyPadExtParams,
    DataCopyPadParams,
    DataCopyParams,
    UnaryRepeatParams,
)
from .language.program import Program
from .language.stage import compute, copy_in, copy_out, stage
from .language.struct import ConstExpr, Field, Struct, StructField, ceildiv, range, static_assert, static_range
from .language.tbuf import TBuf
from .language.tpipe import TPipe, get_tpipe_ptr

half = float16
jit = kernel

__all__ = [
    "ISA",
    "AlignmentError",
    "AscendError",
    "BinaryRepeatParams",
    "CacheMode",
    "CacheRwMode",
    "CapacityError",
    "ConstExpr",
    "DataCopyExtParams",
    "DataCopyPadExtParams",
    "DataCopyPadParams",
    "DataCopyParams",
    "DataType",
    "DeadlockError",
    "DtypeError",
    "EventError",
    "Field",
    "Finding",
    "GlobalAddress",
    "GlobalTensor",
    "HardEvent",
    "HardwareSpec",
    "HardwareSpecError",
    "HazardError",
    "Kernel",
    "KernelType",
    "LocalTensor",
    "Operator",
    "OutOfBoundsError",
    "OverlapError",
    "PipeID",
    "PositionError",
    "Program",
    "QueueStateError",
    "RangeError",
    "RoundMode",
    "Severity",
    "Struct",
    "StructField",
    "TBuf",
    "TPipe",
    "TPosition",
    "TQue",
    "TQueBind",
    "UnaryRepeatParams",
    "UninitializedError",
    "UsageError",
    "abs",
    "add",
    "adds",
    "ascendc as asc``.",
    "axpy",
    "bfloat16",
    "bool_",
    "cast",
    "ceildiv",
    "compare_stage",
    "compute",
    "copy_in",
    "copy_out",
    "data_copy",
    "data_copy_pad",
    "defaults",
    "div",
    "dtype",
    "duplicate",
    "exp",
    "float16",
    "float32",
    "get_block_idx",
    "get_block_num",
    "get_tpipe_ptr",
    "half",
    "hazards",
    "int8",
    "int16",
    "int32",
    "int64",
    "jit",
    "kernel",
    "leaky_relu",
    "ln",
    "max",
    "maxs",
    "min",
    "mins",
    "mul",
    "muls",
    "observe",
    "operator",
    "pipe_barrier",
    "range",
    "reciprocal",
    "relu",
    "rsqrt",
    "set_flag",
    "set_pad_value",
    "sqrt",
    "stage",
    "static_assert",
    "static_range",
    "sub",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "use_chip",
    "wait_flag",
]
