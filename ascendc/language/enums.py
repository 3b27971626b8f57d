"""The names Ascend C gives to positions, pipes, events and modes, spelled as in C++."""

from __future__ import annotations

import difflib
import enum
from typing import TYPE_CHECKING


class Named(enum.EnumMeta):
    """Of enums that say, when asked for a member they do not have, which one was meant."""

    if not TYPE_CHECKING:  # who checks types is told anyway

        def __getattr__(cls, name: str) -> enum.Enum:
            """Called for what is not there.

            Raises:
                AttributeError: always.
            """
            text, members = f"{cls.__name__} has no {name}", list(cls.__members__)
            if name.startswith("_"):  # Python and its tools ask for these, to see whether they are there
                raise AttributeError(text)
            close = [m for m in members if name.upper() in m.split("_")][:3]
            close = close or difflib.get_close_matches(name.upper(), members, 2, 0.7)
            hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(members)}"
            raise AttributeError(f"{text}; {hint}")


class PipeID(enum.IntEnum, metaclass=Named):
    """An in-order instruction queue of one core, with Ascend C's numbers."""

    PIPE_S = 0
    PIPE_V = 1
    PIPE_M = 2
    PIPE_MTE1 = 3
    PIPE_MTE2 = 4
    PIPE_MTE3 = 5
    PIPE_ALL = 6
    PIPE_FIX = 10

    @property
    def short(self) -> str:
        """``V`` for ``PIPE_V``."""
        return self.name.removeprefix("PIPE_")

    @classmethod
    def of(cls, short: str) -> PipeID:
        """The pipe called ``short``, as ``V`` or ``MTE2``.

        Raises:
            KeyError: there is none.
        """
        return cls[f"PIPE_{short}"]


class HardEvent(enum.IntEnum, metaclass=Named):
    """A direction of a flag: ``MTE2_V`` is set by MTE2 and awaited by V."""

    MTE2_MTE1 = 0
    MTE1_MTE2 = 1
    MTE1_M = 2
    M_MTE1 = 3
    MTE2_V = 4
    V_MTE2 = 5
    MTE3_V = 6
    V_MTE3 = 7
    M_V = 8
    V_M = 9
    V_V = 10
    MTE3_MTE1 = 11
    MTE1_MTE3 = 12
    MTE1_V = 13
    MTE2_M = 14
    M_MTE2 = 15
    V_MTE1 = 16
    M_FIX = 17
    FIX_M = 18
    MTE3_MTE2 = 19
    MTE2_MTE3 = 20
    S_V = 21
    V_S = 22
    S_MTE2 = 23
    MTE2_S = 24
    S_MTE3 = 25
    MTE3_S = 26
    MTE2_FIX = 27
    FIX_MTE2 = 28
    FIX_S = 29
    M_S = 30
    FIX_MTE3 = 31
    MTE1_FIX = 32
    FIX_MTE1 = 33
    FIX_FIX = 34

    @property
    def source(self) -> PipeID:
        """The pipe that sets it."""
        return PipeID.of(self.name.split("_")[0])

    @property
    def target(self) -> PipeID:
        """The pipe that waits for it."""
        return PipeID.of(self.name.split("_")[1])


class TPosition(enum.IntEnum, metaclass=Named):
    """A logical place of a tensor; the chip file says which memory it is."""

    GM = 0
    A1 = 1
    A2 = 2
    B1 = 3
    B2 = 4
    C1 = 5
    C2 = 6
    CO1 = 7
    CO2 = 8
    VECIN = 9
    VECOUT = 10
    VECCALC = 11
    LCM = 11
    SPM = 12
    SHM = 12
    TSCM = 13
    C2PIPE2GM = 14
    C2PIPE2LOCAL = 15
    MAX = 16


class RoundMode(enum.IntEnum, metaclass=Named):
    """How ``cast`` rounds; ``CAST_NONE`` is ``CAST_RINT`` where the conversion loses digits."""

    CAST_NONE = 0
    CAST_RINT = 1
    CAST_FLOOR = 2
    CAST_CEIL = 3
    CAST_ROUND = 4
    CAST_TRUNC = 5
    CAST_ODD = 6


class MaskMode(enum.IntEnum, metaclass=Named):
    """How instructions read the mask register: as a bit for each lane, or as a number of elements."""

    NORMAL = 0
    COUNTER = 1


class CacheMode(enum.IntEnum, metaclass=Named):
    """Whether a global tensor goes through the L2 cache."""

    CACHE_MODE_DISABLE = 0
    CACHE_MODE_NORMAL = 1


class CacheRwMode(enum.IntEnum, metaclass=Named):
    """Which accesses a cache hint is for."""

    READ = 1
    WRITE = 2
    RW = 3


class KernelType(enum.IntEnum, metaclass=Named):
    """Which cores a kernel runs on."""

    AIV_ONLY = 0
    AIC_ONLY = 1
    MIX_AIV_1_0 = 2
    MIX_AIC_1_0 = 3
    MIX_AIC_1_1 = 4
    MIX_AIC_1_2 = 5


class CMPMODE(enum.IntEnum, metaclass=Named):
    """How ``compare`` compares its two sources."""

    LT = 0
    GT = 1
    EQ = 2
    LE = 3
    GE = 4
    NE = 5


class SelMode(enum.IntEnum, metaclass=Named):
    """What ``select`` chooses between, and where its mask is.

    ``VSEL_CMPMASK_SPR`` uses one repeat's bits again in every repeat; the other two go on through the mask.
    """

    VSEL_CMPMASK_SPR = 0
    VSEL_TENSOR_SCALAR_MODE = 1
    VSEL_TENSOR_TENSOR_MODE = 2


class ReduceOrder(enum.IntEnum, metaclass=Named):
    """What a maximum or minimum of a repeat leaves: the value, its lane's number, or both in this order."""

    ORDER_VALUE_INDEX = 0
    ORDER_INDEX_VALUE = 1
    ORDER_ONLY_VALUE = 2
    ORDER_ONLY_INDEX = 3


class GatherMaskMode(enum.IntEnum, metaclass=Named):
    """How ``gather_mask`` works; there is one way on these chips."""

    DEFAULT = 0


class TransposeType(enum.IntEnum, metaclass=Named):
    """What ``transpose`` does with its parameters."""

    TRANSPOSE_TYPE_NONE = 0
    TRANSPOSE_ND2ND_B16 = 10
    TRANSPOSE_NCHW2NHWC = 11
    TRANSPOSE_NHWC2NCHW = 12


class AtomicDtype(enum.IntEnum, metaclass=Named):
    """The element type of atomic stores."""

    ATOMIC_NONE = 0
    ATOMIC_F32 = 1
    ATOMIC_F16 = 2
    ATOMIC_S16 = 3
    ATOMIC_S32 = 4
    ATOMIC_S8 = 5
    ATOMIC_BF16 = 6


class AtomicOp(enum.IntEnum, metaclass=Named):
    """What an atomic store does with its element and the one that is there."""

    ATOMIC_SUM = 0
    ATOMIC_MAX = 1
    ATOMIC_MIN = 2


class Hardware(enum.IntEnum, metaclass=Named):
    """A physical memory, for ``LocalMemAllocator``."""

    GM = 0
    UB = 1
    L1 = 2
    L0A = 3
    L0B = 4
    L0C = 5
    BIAS = 6
    FIXBUF = 7
    MAX = 8


class DataFormat(enum.IntEnum, metaclass=Named):
    """The order of a tensor's dimensions, as a ``ShapeInfo`` says it."""

    ND = 0
    NZ = 1
    NCHW = 2
    NC1HWC0 = 3
    NHWC = 4


class MemDsbT(enum.IntEnum, metaclass=Named):
    """The memory whose accesses ``data_sync_barrier`` waits for."""

    ALL = 0
    DDR = 1
    UB = 2
    SEQ = 3


class CacheLine(enum.IntEnum, metaclass=Named):
    """How much of the data cache an instruction is about."""

    SINGLE_CACHE_LINE = 0
    ENTIRE_DATA_CACHE = 1


class DcciDst(enum.IntEnum, metaclass=Named):
    """The memory the data cache is made to agree with."""

    CACHELINE_ALL = 0
    CACHELINE_UB = 1
    CACHELINE_OUT = 2
    CACHELINE_ATOMIC = 3
