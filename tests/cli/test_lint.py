"""``ascendc lint`` tells mistakes by line, severity and a stable id, and what is merely slow."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascendc.cli import main

Capture = pytest.CaptureFixture[str]

OPERATOR = """import numpy as np
import ascendc as asc

TILE = 8192

@asc.kernel
def body(x, z, share):
    first = asc.get_block_idx() * share
    pipe, queue = asc.TPipe(), asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, 2 * TILE)
    xs, zs = asc.GlobalTensor(), asc.GlobalTensor()
    xs.set_global_buffer(x + first)
    zs.set_global_buffer(z + first)
    for at in range(0, share, TILE):
        n = min(TILE, share - at)
        tile = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(tile, xs[at:], asc.DataCopyExtParams(1, 2 * n), asc.DataCopyPadExtParams())
        queue.enque(tile)
        tile = queue.deque(x.dtype)
        asc.data_copy_pad(zs[at:], tile, asc.DataCopyExtParams(1, 2 * n))
        queue.free_tensor(tile)

@asc.operator(reference=lambda x: x, shape=(4, 32768), blocks=4)
def copy(x, z, blocks):
    blocks = blocks if x.size % blocks == 0 else 1
    return body[blocks](x, z, x.size // blocks)
"""

Lint = Callable[..., tuple[int, str]]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Lint:
    """Lint the operator above after some replacements: status, stdout."""
    monkeypatch.chdir(tmp_path)

    def lint(*changes: tuple[str, str], options: tuple[str, ...] = ()) -> tuple[int, str]:
        text = OPERATOR
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        Path("op.py").write_text(text)
        status = main(["lint", "op.py", "--chip", "demo", *options])
        out, err = capsys.readouterr()
        assert err == ""
        return status, out

    return lint


def _line(marker: str, text: str = OPERATOR) -> int:
    return 1 + next(i for i, line in enumerate(text.splitlines()) if marker in line)


def test_nothing_is_found_in_a_good_operator(lint: Lint) -> None:
    """Two buffers, 16 KB at a time, aligned, any size, everything freed and written."""
    assert lint() == (0, "copy 4x32768 float16 on demo: nothing found\n")


def _only(found: tuple[int, str]) -> tuple[int, str, str]:
    """Status, the only finding, and what the last line counts."""
    status, out = found
    finding, total = out.splitlines()
    return status, finding, total.partition(": ")[2]


def test_no_double_buffer_is_advice(lint: Lint) -> None:
    """Four tiles of each block go through one buffer; copying out, too."""
    status, out = lint(("init_buffer(queue, 2,", "init_buffer(queue, 1,"))
    into, outof = _line("data_copy_pad(tile"), _line("data_copy_pad(zs")

    assert status == 0
    assert out.splitlines() == [
        f"op.py:{line}: advice: {name} passes through one buffer, up to 4 times in a block, so copies and computing "
        "take turns; two buffers let them overlap: init_buffer(queue, 2, len) [single-buffer]"
        for line, name in ((into, "x"), (outof, "z"))
    ] + ["copy 4x32768 float16 on demo: 2 advice"]


def test_one_tensor_that_no_queue_owns_is_told_apart(lint: Lint) -> None:
    """Tensors at an address have no init_buffer: the way out is a second one."""
    barrier = "asc.pipe_barrier(asc.PipeID.PIPE_ALL)"
    status, out = lint(
        (OPERATOR.splitlines()[8].strip(), "tile = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)"),
        ("pipe.init_buffer(queue, 2, 2 * TILE)", "pass"),
        ("tile = queue.alloc_tensor(x.dtype)", barrier),
        ("queue.enque(tile)", barrier),
        ("tile = queue.deque(x.dtype)", "pass"),
        ("queue.free_tensor(tile)", "pass"),
    )

    assert (status, out.count("[single-buffer]"), "init_buffer" in out) == (0, 2, False)
    assert out.count("two buffers let them overlap: use two tensors in turn, each with flags of its own [") == 2


def test_small_transfers_are_advice(lint: Lint) -> None:
    """4096 elements are 8 KB; 4 blocks copy 8 times in and 8 times out."""
    status, out = lint(("TILE = 8192", "TILE = 4096"))

    assert (status, out.count("[small-transfer]")) == (0, 2)
    assert (
        f"op.py:{_line('data_copy_pad(tile')}: advice: 32 transfers of 8,192 B on average; below 16,384 B starting one "
        "costs more than its bytes: use larger tiles [small-transfer]\n"
    ) in out


def test_a_block_with_little_to_copy_is_not_advised(lint: Lint) -> None:
    """One transfer a block is all there is."""
    assert lint(options=("--shape", "4x256"))[1].endswith("nothing found\n")


def test_misaligned_global_memory_is_advice(lint: Lint) -> None:
    """Shares of 600 elements are 1200 B: blocks 1 to 3 start at 1200, 2400 and 3600 B, none a multiple of 512."""
    status, out = lint(options=("--shape", "4x600"))

    assert (status, out.count("[gm-alignment]")) == (0, 2)
    assert (
        f"op.py:{_line('data_copy_pad(zs')}: advice: 3 of 4 transfers start inside a 512-byte line of global memory, "
        "the first at byte 1,200 of z; shares and tiles of whole lines are faster [gm-alignment]\n"
    ) in out


def test_capacity_is_judged_at_the_asked_shape(lint: Lint) -> None:
    """A buffer as long as the share: 64 KB fit twice, 128 KB do not; status 1."""
    change = ("2 * TILE)", "2 * max(16, share))")

    assert lint(change)[0] == 0
    status, finding, total = _only(lint(change, options=("--shape", "4x65536")))

    assert (status, total) == (1, "1 error")
    assert finding.startswith(f"op.py:{_line('init_buffer')}: error: init_buffer: UB overflow: requested 262144 B, ")
    assert finding.endswith("use shorter or fewer buffers [capacity]")


def test_a_small_shape_that_fails_is_a_warning(lint: Lint) -> None:
    """An operator for whole tiles only is right where it says it is."""
    status, finding, _ = _only(lint(("n = min(TILE, share - at)", "n = TILE")))

    assert status == 0
    assert finding.startswith(
        f"op.py:{_line('data_copy_pad(tile')}: warning: fails at shape 4x7: src of data_copy_pad: "
    )
    assert finding.endswith("[out-of-bounds]")


def test_a_small_shape_that_is_refused_is_nothing(lint: Lint) -> None:
    """An operator may say what it takes."""
    change = ("    blocks = blocks if", "    assert x.size > 100, 'too small'\n    blocks = blocks if")

    assert lint(change)[1].endswith("nothing found\n")


def test_tensors_never_freed_are_warnings(lint: Lint) -> None:
    """One tile a block, its buffer taken and kept."""
    status, finding, _ = _only(lint(("        queue.free_tensor(tile)\n", ""), options=("--shape", "4x8192")))

    assert status == 0
    assert finding == (
        f"op.py:{_line('alloc_tensor')}: warning: 1 tensor of queue never freed "
        f"(taken at op.py:{_line('alloc_tensor')}); free_tensor them [leak]"
    )


RACE = (
    "        queue.free_tensor(tile)\n",
    "        queue.free_tensor(tile)\n        asc.data_copy(zs[at:], tail, 16)\n",
)
TAIL = (
    "    pipe.init_buffer",
    "    tail = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 65536, 16)\n    pipe.init_buffer",
)
FILL = ("    for at in", "    asc.duplicate(tail, 1, 16)\n    for at in")


@pytest.mark.parametrize(("hazards", "status", "severity"), [("error", 1, "error"), ("warn", 0, "warning")])
def test_unordered_accesses_are_what_the_option_says(lint: Lint, hazards: str, status: int, severity: str) -> None:
    """The store of tail need not wait for duplicate."""
    found, out = lint(RACE, TAIL, FILL, options=("--hazards", hazards, "--shape", "4x8192"))
    raw = next(line for line in out.splitlines() if "[raw]" in line)

    assert found == status
    assert f": {severity}: " in raw
    assert "V_MTE3" in raw
    assert "[raw]" not in lint(RACE, TAIL, FILL, options=("--hazards", "off", "--shape", "4x8192"))[1]


def test_a_launch_that_insists_on_its_own_option_is_heard(lint: Lint) -> None:
    """Its findings are listed as any others, once."""
    insist = ("return body[blocks](x, z, x.size // blocks)", "return body.launch(blocks, x, z, 8192, hazards='error')")
    status, out = lint(RACE, TAIL, FILL, insist, options=("--shape", "4x8192"))

    assert (status, out.count("[raw]"), out.count("[hazard]")) == (1, 1, 0)


def test_flags_left_set_have_their_line(lint: Lint) -> None:
    """Events unmatched: it is the next kernel that trips over them."""
    status, out = lint(("    for at in", "    asc.set_flag(asc.HardEvent.V_MTE3, 3)\n    for at in"))

    assert status == 0
    assert f"op.py:{_line('    for at in')}: warning: " in out
    assert "[flag]" in out


def test_outputs_left_out_are_a_warning_without_a_line(lint: Lint) -> None:
    """Blocks 2 and 3 of 4 return early: half of 256 KB."""
    change = ("    pipe, queue", "    if asc.get_block_idx() > 1: return\n    pipe, queue")
    status, out = lint(change)

    assert status == 0
    assert "op.py: warning: 131,072 bytes of outputs stay unwritten [unwritten]\n" in out


def test_any_exception_is_an_error_at_the_authors_line(lint: Lint) -> None:
    """Also one that is none of ours."""
    status, finding, _ = _only(lint(("    pipe, queue", "    1 / 0\n    pipe, queue")))

    assert status == 1
    assert finding == f"op.py:{_line('    pipe, queue')}: error: ZeroDivisionError: division by zero [exception]"


def test_json_is_one_object(lint: Lint) -> None:
    """With a version, and file and line apart."""
    status, out = lint(("TILE = 8192", "TILE = 100_000"), options=("--json", "--shape", "8", "--blocks", "1"))
    found: dict[str, Any] = json.loads(out)
    message = found["findings"][0].pop("message")

    line = _line("init_buffer")
    assert status == 1
    assert message.startswith("init_buffer: UB overflow: requested 400000 B")
    assert found == {
        "version": 1,
        "operator": "copy",
        "chip": "demo",
        "shape": [8],
        "dtype": "float16",
        "blocks": 1,
        "findings": [
            {
                "id": "capacity",
                "severity": "error",
                "file": "op.py",
                "line": line,
                "lines": [f"op.py:{line}"],
                "blocks": [],
            }
        ],
    }


def test_a_usage_mistake_is_status_2(capsys: Capture) -> None:
    """One line, as for every command."""
    assert main(["lint", "nowhere.py"]) == 2
    assert capsys.readouterr().err == "ascendc lint: there is no file nowhere.py\n"


def test_operators_of_the_library_have_no_findings(capsys: Capture) -> None:
    """Whoever reads them should see what lint asks for."""
    for name in ("add", "exp", "axpy"):
        assert main(["lint", name]) == 0
        assert capsys.readouterr().out == f"{name} 1024x1024 float16 on Ascend910B1: nothing found\n"
