"""Every instruction that computes or moves something has a worked example, and a property test against a loop."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import ascendc as asc
from tests.inventory import LOOPED, WORKED

TESTS = Path(__file__).parents[1]

NOTHING_TO_COMPUTE = {
    "order between pipes: tests/language/test_events.py, test_autosync.py, tests/guards": {
        *("pipe_barrier", "set_flag", "wait_flag"),
    },
    "rows of queue calls: tests/language/test_queue.py": {
        *("alloc_tensor", "deque", "enque", "free_all_event", "free_tensor"),
    },
    "watched memory: tests/language/test_watch.py": {"check_local_memory_ia"},
    "caches, which there are none of: tests/language/test_system.py": {
        *("data_cache_clean_and_invalid", "data_cache_preload", "data_sync_barrier"),
        *("get_icache_preload_status", "icache_preload"),
    },
    "marks in the timeline: tests/language/test_clock.py": {
        *("get_program_counter", "get_system_cycle", "metrics_prof_start", "metrics_prof_stop", "print_time_stamp"),
    },
}
"""Instructions that leave all memory as it is, and where they are tested."""

COMPUTING = sorted(set(asc.ISA) - {name for names in NOTHING_TO_COMPUTE.values() for name in names})

for path in sorted([*(TESTS / "language").glob("test_*.py"), *(TESTS / "cases").glob("test_*.py")]):
    importlib.import_module(f"tests.{path.parent.name}.{path.stem}")


@pytest.mark.parametrize("name", COMPUTING)
def test_a_worked_example(name: str) -> None:
    """In a kernel, with literal numbers."""
    assert WORKED.get(name), f"mark a test with @worked({name!r})"


@pytest.mark.parametrize("name", COMPUTING)
def test_a_loop_to_compare_with(name: str) -> None:
    """Over random masks, strides, repeats, counts and element types, as far as it has them."""
    assert LOOPED.get(name), f"mark a property test with @looped({name!r})"


def test_marks_name_instructions() -> None:
    """A slip of a name would leave one out."""
    assert sorted((WORKED.keys() | LOOPED.keys()) - set(COMPUTING)) == []
