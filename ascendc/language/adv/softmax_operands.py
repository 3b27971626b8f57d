"""What functions of the softmax family are given: a matrix, and blocks with one number for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..classes import need_class
from ..core import current
from ..errors import UsageError
from ..memory import LocalTensor
from .given import Given, given
from .tiling import SoftMaxShapeInfo, SoftMaxTiling
from .workspace import check_extents


def softmax_given(
    call: str,
    tiling: Any,
    shape_info: SoftMaxShapeInfo | None,
    data_format_nz: bool,
    matrices: Mapping[str, LocalTensor],
    blocks: dict[str, LocalTensor],
    known: dict[str, LocalTensor] | None = None,
) -> Given:
    """The call on operands by role; ``known`` are blocks that are read.

    Raises:
        UsageError: the tiling is something else, or the matrix is said to be in NZ format.
    """
    core = current()
    if data_format_nz:
        core.fail(UsageError, f"{call}: there is no form for NZ matrices; bring the rows into ND order first")
    need_class(core, call, "tiling", tiling, SoftMaxTiling, maker="soft_max_tiling_func")
    info = SoftMaxShapeInfo(tiling.src_m, tiling.src_k) if shape_info is None else shape_info
    need_class(core, call, "shape_info", info, SoftMaxShapeInfo)
    check_extents(call, src_m=info.src_m, src_k=info.src_k, ori_src_m=info.ori_src_m, ori_src_k=info.ori_src_k)
    shape = (info.ori_src_m or info.src_m, info.ori_src_k or info.src_k, info.src_k)
    return given(call, shape, matrices, numbers=blocks, known=known, per_row=0)
