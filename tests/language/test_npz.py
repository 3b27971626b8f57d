"""The container of saved programs and timelines."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ascendc.language.errors import UsageError
from ascendc.language.hardware import HardwareSpec
from ascendc.language.npz import read_npz, spec_from_json, spec_to_json, write_npz


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Header and arrays come back, with their types and shapes."""
    path = tmp_path / "x.npz"
    write_npz(path, "thing/1", {"name": "é"}, {"a": np.arange(6, dtype=np.int32).reshape(2, 3), "b": np.empty(0)})

    header, arrays = read_npz(path, "thing/1")

    assert header == {"name": "é"}
    assert arrays["a"].dtype == np.int32
    assert arrays["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert arrays["b"].shape == (0,)
    assert [p.name for p in tmp_path.iterdir()] == ["x.npz"]


def test_another_schema_is_refused(tmp_path: Path) -> None:
    """The message names both."""
    write_npz(tmp_path / "x.npz", "thing/1", {}, {})

    with pytest.raises(UsageError, match=r"x\.npz: holds thing/1, expected thing/2; save it again"):
        read_npz(tmp_path / "x.npz", "thing/2")


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04 cut off"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    """Also a file that is cut off."""
    (tmp_path / "x.npz").write_bytes(content)

    with pytest.raises(UsageError, match="is no file saved by this project"):
        read_npz(tmp_path / "x.npz", "thing/1")


def test_an_archive_of_numpy_is_refused(tmp_path: Path) -> None:
    """It has no header."""
    np.savez(tmp_path / "x.npz", a=np.arange(3))

    with pytest.raises(UsageError, match="is no file saved by this project"):
        read_npz(tmp_path / "x.npz", "thing/1")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """With the system's reason."""
    with pytest.raises(UsageError, match=r"x\.npz: cannot be read: No such file"):
        read_npz(tmp_path / "x.npz", "thing/1")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file where a folder should be, and a folder that is not there."""
    (tmp_path / "file").write_text("")

    for path in (tmp_path / "file" / "x.npz", tmp_path / "none" / "x.npz"):
        with pytest.raises(UsageError, match=r"x\.npz: cannot be written: No"):
            write_npz(path, "thing/1", {}, {})


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """Object arrays cannot be saved; what was there is still whole, and nothing else is."""
    path = tmp_path / "x.npz"
    write_npz(path, "thing/1", {"old": True}, {})

    with pytest.raises(ValueError, match="Object arrays"):
        write_npz(path, "thing/1", {}, {"a": np.array([object()])})

    assert read_npz(path, "thing/1")[0] == {"old": True}
    assert [p.name for p in tmp_path.iterdir()] == ["x.npz"]


def test_a_chip_survives_json_exactly() -> None:
    """Fractions too: 20.6 is 103/5."""
    chip = HardwareSpec.load("demo").replace({"route.gm_to_ub.issue_cycles": 20.6})

    again = spec_from_json(spec_to_json(chip))

    assert again == chip
    assert again.route["gm_to_ub"].issue_cycles == Fraction(103, 5)
