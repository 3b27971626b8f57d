"""Temporary memory of row-wise functions, counted by hand: (what is of use, what is needed) in bytes."""

from __future__ import annotations

from typing import Any

import pytest

import ascendc as asc

adv = asc.adv
RA = adv.ReducePattern.RA


@pytest.mark.parametrize(
    ("name", "arguments", "sizes"),
    [
        ("softmax", ((16, 64), "float32"), (16 * 36, 8 * 36)),
        ("softmax", ((16, 128), "float16"), (16 * (36 + 256 + 2 + 512), 8 * 36 + 256 + 32 + 512)),
        ("simple_softmax", ((16, 64), "float32"), (16 * 36, 8 * 36)),
        ("log_softmax", ((16, 64), "float32"), (16 * (36 + 256), 8 * 36 + 256)),
        ("softmax_flash_v2", ((16, 64), "float32"), (16 * (36 + 8), 8 * 36 + 2 * 32)),
        ("layernorm", ((2, 8, 64), "float32"), (16 * (36 + 256 + 4), 8 * 36 + 256 + 32)),
        ("layernorm", ((2, 8, 64), "float16"), (512 + 16 * (38 + 256 + 256 + 4), 512 + 8 * 36 + 32 + 512 + 32)),
        ("rmsnorm", ((2, 8, 64), "float32"), (16 * (36 + 256 + 4), 8 * 36 + 256 + 32)),
        ("reduce_sum", ((16, 128), "float32"), (16 * 256, 256)),
        ("reduce_sum", ((16, 128), "float16"), (64 + 16 * (512 + 256), 64 + 512 + 256)),
        ("reduce_mean", ((16, 64), "float32"), (0, 0)),
        ("reduce_max", ((16, 128), "float32", RA), (8 * 512, 0)),
        ("reduce_any", ((16, 32), "uint8"), (32 + 16 * 64, 32 + 64)),
        ("reduce_prod", ((16, 128), "float32"), (16 * 512, 16 * 512)),
        ("sum", ((16, 128), "float32"), (16 * 256, 256)),
        ("mean", ((16, 128), "float32"), (16 * 256, 256)),
        ("cumsum", ((20, 40), "float32"), (2 * 32 * 48 * 4, 2 * 16 * 48 * 4)),
        ("cumsum", ((20, 40), "float16", False), (2 * 160, 2 * 160)),
        ("broadcast", ((20, 8), (20, 1), "float32", 8), (32 * 40, 16 * 40)),
        ("pad", ((2, 3), "float32", adv.PadParams(0, 5)), (32, 32)),
        ("unpad", ((2, 4096), "float16"), (512, 512)),
        ("fill", (9, "float32"), (64, 32)),
        ("fill", (1 << 20, "float32"), (32768, 32)),
        ("top_k", (64, "float16"), (64 * 22 + 224, 64 * 22 + 224)),
    ],
)
def test_sizes(name: str, arguments: tuple[Any, ...], sizes: tuple[int, int]) -> None:
    """Each row as the function's docstring counts it, in whole blocks; numbers of rows in groups of 8."""
    assert getattr(adv, f"get_{name}_max_min_tmp_size")(*arguments) == sizes


def test_other_types_are_refused_on_the_host() -> None:
    """With those there are."""
    with pytest.raises(asc.DtypeError, match=r"^softmax: dtype is int32; supported: float16, float32$"):
        adv.get_softmax_max_min_tmp_size((2, 8), "int32")
    with pytest.raises(asc.UsageError, match=r"^broadcast: src of \(2, 3\) does not fit dst of \(4, 3\);"):
        adv.get_broadcast_max_min_tmp_size((4, 3), (2, 3), "float32")
