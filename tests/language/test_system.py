"""What a kernel asks of the system around it: caches, its core, the framework's memory, checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.mask import FULL
from tests.block import local, on_gm, on_ub, program_of
from tests.refusals import refused

F32 = np.float32
ONE, ALL = asc.CacheLine.SINGLE_CACHE_LINE, asc.CacheLine.ENTIRE_DATA_CACHE


def labels(program: asc.Program) -> list[str]:
    """The rows of its only block."""
    return [row.template.label for row in program.blocks[0]]


def test_caches_are_scalar_rows() -> None:
    """Each shows its parameters and costs its issue: one cycle on the demo chip."""

    def body(g: Any) -> None:
        asc.data_cache_preload(g, 8)
        asc.data_cache_clean_and_invalid(ONE, asc.DcciDst.CACHELINE_OUT, g)
        asc.data_cache_clean_and_invalid(ALL, g)
        asc.data_cache_clean_and_invalid(ALL, dst=local(asc.float32, 8))
        asc.data_sync_barrier(asc.MemDsbT.DDR)
        asc.icache_preload(2)
        assert asc.get_icache_preload_status() == 0

    program = on_gm(body, np.zeros(8, F32))

    assert labels(program) == [
        "data_cache_preload offset=8",
        "data_cache_clean_and_invalid lines=SINGLE_CACHE_LINE memory=CACHELINE_OUT",
        "data_cache_clean_and_invalid lines=ENTIRE_DATA_CACHE",
        "data_cache_clean_and_invalid lines=ENTIRE_DATA_CACHE",
        "data_sync_barrier memory=DDR",
        "icache_preload length=2",
        "get_icache_preload_status",
    ]
    demo = asc.HardwareSpec.load("demo")
    assert {r.template.op.demand(r.template, (), demo).occupancy for r in program.blocks[0]} == {1}
    assert {r.template.pipe for r in program.blocks[0]} == {asc.PipeID.PIPE_S}


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda g: asc.data_sync_barrier(0),
            asc.UsageError,
            "data_sync_barrier: arg0 must be a MemDsbT, as MemDsbT.ALL, got 0",
        ),
        (
            lambda g: asc.data_cache_clean_and_invalid(0, g),
            asc.UsageError,
            "data_cache_clean_and_invalid: entire_type must be a CacheLine, as CacheLine.SINGLE_CACHE_LINE",
        ),
        (
            lambda g: asc.data_cache_clean_and_invalid(ONE, 2, g),
            asc.UsageError,
            "data_cache_clean_and_invalid: dcci_dst must be a DcciDst, as DcciDst.CACHELINE_ALL",
        ),
        (
            lambda g: asc.data_cache_clean_and_invalid(ONE),
            asc.UsageError,
            "data_cache_clean_and_invalid: dst must be a LocalTensor or a GlobalTensor, got None",
        ),
        (
            lambda g: asc.data_cache_preload(g, 32),
            asc.OutOfBoundsError,
            "data_cache_preload: cache_offset must be a byte of src, 0 to 31, got 32",
        ),
        (lambda g: asc.data_cache_preload(7, 0), asc.UsageError, "data_cache_preload: src must be a GlobalTensor"),
        (lambda g: asc.icache_preload(-1), asc.RangeError, "icache_preload: pre_fetch_len must be 0 or more"),
        (lambda g: asc.icache_preload(0.5), asc.RangeError, "icache_preload: pre_fetch_len must be a whole number"),
        (lambda g: asc.print_time_stamp("a"), asc.RangeError, "print_time_stamp: desc_id must be a whole number"),
        (
            lambda g: asc.set_sys_workspace(g[0]),
            asc.UsageError,
            "set_sys_workspace: workspace must be an array argument",
        ),
        (lambda g: asc.get_sys_workspace(), asc.UsageError, "get_sys_workspace: there is none; pass an array to the"),
        (
            lambda g: asc.dump_acc_chk_point(7, 0, 0, 1),
            asc.UsageError,
            "dump_acc_chk_point: tensor must be a LocalTensor or a GlobalTensor, got 7",
        ),
        (
            lambda g: asc.dump_acc_chk_point(g, 0, -1, 1),
            asc.RangeError,
            "dump_acc_chk_point: count_off and dump_size must be 0 or more, got -1 and 1",
        ),
        (
            lambda g: asc.dump_acc_chk_point(g, 0, 4, 5),
            asc.OutOfBoundsError,
            "dump_acc_chk_point: elements 4 to 8 of 8",
        ),
    ],
)
def test_bad_input(call: Callable[[Any], object], error: type[Exception], text: str) -> None:
    """Each with its message and the line."""
    with refused(error, text):
        on_gm(lambda g: call(g), np.zeros(8, F32))  # noqa: PLW0108  the parameter's name


def test_a_freed_tensor_cannot_be_cleaned() -> None:
    """Its buffer may hold something else by now."""

    def body() -> None:
        pipe, queue = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(queue, 1, 64)
        freed = queue.alloc_tensor(asc.float32)
        queue.free_tensor(freed)
        asc.data_cache_clean_and_invalid(ONE, freed)

    with refused(asc.QueueStateError, "dst of data_cache_clean_and_invalid (tensor freed) cannot be used"):
        on_ub(body)


def test_a_vector_launch_has_cores_without_groups() -> None:
    """Vector cores, each the only one of its kind in its group; asking is free."""
    seen: list[Any] = []

    def body() -> None:
        seen.append((asc.ascend_is_aiv(), asc.ascend_is_aic()))
        seen.append((asc.get_sub_block_idx(), asc.get_sub_block_num(), asc.get_task_ratio()))

    program = program_of(body)

    assert seen == [(True, False), (0, 1, 1)]
    assert len(program) == 0


@pytest.mark.parametrize("call", [asc.ascend_is_aic, asc.get_sub_block_idx, asc.get_sub_block_num, asc.get_task_ratio])
def test_asking_outside_a_kernel_is_an_error(call: Callable[[], object]) -> None:
    """There is no core to ask."""
    with pytest.raises(asc.UsageError, match="this call needs a running kernel"):
        call()


def test_init_soc_state_undoes_atomics_and_masks() -> None:
    """As at the start of a kernel, in three scalar rows; nothing is reported as left on."""
    seen: list[Any] = []

    def body() -> None:
        asc.set_atomic_add(asc.float32)
        asc.set_mask_count()
        asc.set_vector_mask(0, 100, dtype=asc.float32, mode=asc.MaskMode.COUNTER)
        asc.init_soc_state()
        core = local(asc.float32, 8).core
        seen.append((core.atomic, core.mask))

    program = program_of(body)

    assert seen == [(None, FULL)]
    assert labels(program)[3:] == ["set_atomic_none", "set_mask_norm", "reset_mask"]
    assert program.findings == ()


def test_workspace_is_what_the_block_was_given() -> None:
    """An address like any other, also behind an offset."""

    @asc.kernel
    def body(x: asc.GlobalAddress) -> None:
        asc.set_sys_workspace(x + 8 * asc.get_block_idx())
        g = asc.GlobalTensor()
        g.set_global_buffer(asc.get_sys_workspace())
        g.set_value(0, 10 + asc.get_block_idx())

    x = np.zeros(16, F32)
    body.launch(2, x, chip="demo", hazards="off")

    assert (x[0], x[8]) == (10, 11)


def test_checkpoints_show_a_part(capsys: pytest.CaptureFixture[str]) -> None:
    """The elements from the offset on, eight a row, those nothing wrote as such; no row is left."""

    def body(g: Any) -> None:
        asc.dump_acc_chk_point(g, 5, 3, 10)
        asc.dump_acc_chk_point(local(asc.int32, 8), 6, 0, 1)

    program = on_gm(body, np.arange(16, dtype=np.int32))

    lines = [line.partition("] ")[2] for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "dump_acc_chk_point 5: 10 from 3 of g, GlobalTensor(g, int32 x16 from byte 0)",
        "3 4 5 6 7 8 9 10",
        "11 12",
        "dump_acc_chk_point 6: 1 of tensor, LocalTensor(VECCALC int32 x8 at byte 0)",
        "?",
    ]
    assert len(program) == 0


def test_a_checkpoint_says_what_may_still_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Only if it is of the part that is shown: the load fills the first half."""

    def body(g: Any) -> None:
        u = local(asc.float32, 16)
        asc.data_copy(u, g, 8)
        asc.dump_acc_chk_point(u, 1, 0, 8)
        asc.dump_acc_chk_point(u, 2, 8, 8)

    on_gm(body, np.zeros(8, F32))

    first, second = (line for line in capsys.readouterr().out.splitlines() if "chk" in line)
    assert first.endswith("MTE2 may still be writing it")
    assert "not yet" not in second


def test_local_tensors_print_and_write_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A few elements as a dump, all of the window as bytes; the file takes the place of an older one."""
    path = tmp_path / "u.bin"
    path.write_bytes(b"older")

    def body(u: Any) -> None:
        u.print(2)
        u[2:].to_file(str(path))

    on_ub(body, np.arange(8, dtype=F32))

    title, values = (line.partition("] ")[2] for line in capsys.readouterr().out.splitlines())
    assert title == "dump_tensor 0: 2 of u, LocalTensor(VECCALC float32 x8 at byte 0)"
    assert values == "0.0 1.0"
    np.testing.assert_array_equal(np.fromfile(path, F32), [2, 3, 4, 5, 6, 7])
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The folder is not there."""
    with refused(asc.UsageError, "to_file: ", "u.bin: cannot be written: No such file"):
        on_ub(lambda u: u.to_file(tmp_path / "nowhere" / "u.bin"), np.zeros(8, F32))
