"""What a kernel may ask about the core it runs on, and the memory the framework gives it.

Most of it is known when a kernel is compiled, so it costs nothing and leaves no row.
"""

from __future__ import annotations

from .core import current
from .errors import UsageError
from .global_memory import GlobalAddress, refuse_buffer
from .isa.atomic import set_atomic_none
from .isa.mask import reset_mask, set_mask_norm


def get_data_block_size_in_bytes() -> int:
    """Bytes of a block: the unit of strides and alignment."""
    return current().spec.vector.block_bytes


def get_arch_version(core_version: int = 0) -> int:
    """The number in the name of the architecture: 2201 for dav-2201; ``core_version`` if it has none.

    C++ returns the number through its argument; here it is the result.
    """
    digits = "".join(c for c in current().spec.architecture if c.isdigit())
    return int(digits) if digits else core_version


def ascend_is_aic() -> bool:
    """Whether the block runs on a cube core."""
    return current().kind == "aic"


def ascend_is_aiv() -> bool:
    """Whether the block runs on a vector core."""
    return current().kind == "aiv"


def get_sub_block_idx() -> int:
    """Number of the core in its group of one cube core and its vector cores: 0, in launches without groups."""
    current()
    return 0


def get_sub_block_num() -> int:
    """Cores of this kind in a group: 1, in launches without groups."""
    current()
    return 1


def get_task_ratio() -> int:
    """Vector cores to each cube core of the launch: 1, in launches without groups."""
    current()
    return 1


def init_soc_state() -> None:
    """Put the core's registers into the state a kernel starts from: no atomic stores, all lanes, normal mode."""
    set_atomic_none()
    set_mask_norm()
    reset_mask()


def set_sys_workspace(workspace: GlobalAddress) -> None:
    """Say what memory ``get_sys_workspace`` gives in this block.

    Raises:
        UsageError: ``workspace`` is no array argument of the kernel.
    """
    core = current()
    if not isinstance(workspace, GlobalAddress):
        refuse_buffer(core, "set_sys_workspace: workspace", workspace)
    core.workspace = workspace


def get_sys_workspace() -> GlobalAddress:
    """The memory that ``set_sys_workspace`` was given: here a kernel gets it from its caller, as any array.

    Raises:
        UsageError: it was given none.
    """
    core = current()
    if core.workspace is None:
        core.fail(
            UsageError,
            "get_sys_workspace: there is none; pass an array to the kernel and call set_sys_workspace(it) first",
        )
    return core.workspace
