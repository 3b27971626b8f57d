"""Whose an argument of a launch is: the kernel's, or the launch's; and kernels that are methods."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.refusals import refused_at_launch

F32 = np.float32


@asc.kernel
def named_like_options(x: Any, blocks: int, chip: int, hazards: int = 0, auto_sync: int = 0) -> None:
    """Its parameters are called as options of a launch are."""
    g = asc.GlobalTensor()
    g.set_global_buffer(x)
    g.set_value(asc.get_block_idx(), blocks + 10 * chip + 100 * hazards + 1000 * auto_sync)


def test_all_arguments_in_brackets_are_the_kernels() -> None:
    """kernel[2](x, blocks=3, chip=4, …): none of them is taken for an option."""
    x = np.zeros(16, F32)
    with asc.use_chip("demo"), asc.defaults(hazards="off"):
        program = named_like_options[2](x, blocks=3, chip=4, hazards=5, auto_sync=6)

    assert x[:3].tolist() == [6543, 6543, 0]
    assert program.spec.name == "demo"
    assert program.auto_sync


def test_blocks_may_be_a_keyword_of_launch() -> None:
    """The number of blocks is the first argument, by position only."""
    x = np.zeros(16, F32)
    with asc.use_chip("demo"):
        named_like_options.launch(1, x, 3, 4, shuffle_atomics=1)
    assert x[0] == 43

    @asc.kernel
    def one(x: Any, blocks: int) -> None:
        g = asc.GlobalTensor()
        g.set_global_buffer(x)
        g.set_value(0, blocks)

    one.launch(1, x, blocks=7, chip="demo")
    assert x[0] == 7


@pytest.mark.parametrize("option", [{"chip": "demo"}, {"hazards": "off"}, {"auto_sync": False}])
def test_an_option_that_is_a_parameter_too_is_refused(option: dict[str, Any]) -> None:
    """Nobody can tell which is meant; both ways out are named."""
    (name,) = option
    with refused_at_launch(
        asc.UsageError,
        f"named_like_options.launch: {name} is an option and a parameter of the kernel, too; for the parameter use "
        f"named_like_options[blocks](…), for the option asc.defaults({name}=…)",
    ):
        named_like_options.launch(1, np.zeros(16, F32), 3, 4, **option)


class Scale:
    """Kernels as methods, with what they work by in the object."""

    def __init__(self, factor: int) -> None:
        self.factor = factor

    @asc.kernel
    def write(self, x: Any, n: int = 0) -> None:
        g = asc.GlobalTensor()
        g.set_global_buffer(x)
        g.set_value(n, self.twice(self.factor))

    @asc.jit(auto_sync=False)
    def twice(self, number: int) -> int:
        """A device function."""
        return 2 * number


def test_a_kernel_may_be_a_method() -> None:
    """The object comes first, in a launch as in a call of a device function; two objects do not meet."""
    x = np.zeros(16, F32)
    three, four = Scale(3), Scale(4)
    with asc.use_chip("demo"):
        program = three.write[1](x)
        four.write.launch(1, x, n=1, chip="demo")
        Scale.write[1](Scale(5), x, n=2)

    assert x[:4].tolist() == [6, 8, 10, 0]
    assert program.kernel == "write"
    assert [a.name for a in program.arrays] == ["x"]


def test_a_method_keeps_the_options_of_its_kernel() -> None:
    """auto_sync=False of the decorator, by way of the object too."""
    assert asc.kernel(auto_sync=False)(Scale.write.body)[1](Scale(1), np.zeros(16, F32)).auto_sync is False

    class Unordered:
        @asc.kernel(auto_sync=False)
        def nothing(self) -> None:
            """No instruction."""

    assert Unordered().nothing[1]().auto_sync is False


@pytest.mark.parametrize("marker", [asc.copy_in, asc.compute, asc.copy_out])
def test_a_stage_is_no_generator(marker: Any) -> None:
    """Its body would run after the stage has ended."""

    def tiles() -> Any:
        yield 1

    with refused_at_launch(
        asc.UsageError, f"@asc.{marker.__name__}: tiles is a generator or coroutine", "a stage is a plain function"
    ):
        marker(tiles)
