"""The container of everything the project saves: arrays and a JSON header in one ``.npz`` file.

No pickle, a schema name that is checked on reading, and the same bytes for the same content: the zip is
written here because NumPy's writer stamps the time of day.  A file appears whole or not at all.  What a
program or a timeline puts into it is said in their own archive modules.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chipfile import build
from .errors import UsageError
from .hardware import HardwareSpec
from .whole_file import whole_file

Array = NDArray[Any]

_HEADER = "header.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say
_FRACTION = "fraction"


def write_npz(path: Path, schema: str, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write ``header`` and ``arrays`` to ``path`` in one piece.

    Args:
        path: replaced if it exists.
        schema: what the content is, with its version, as ``timeline/1``.
        header: anything JSON can hold.
        arrays: by name; no object arrays.

    Raises:
        UsageError: the file cannot be written.
    """
    with whole_file(path) as part, zipfile.ZipFile(part, "w") as bundle:
        text = json.dumps({"schema": schema, **header}, separators=(",", ":"))
        _store(bundle, _HEADER, text.encode())
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            _store(bundle, f"{name}.npy", buffer.getvalue())


def _store(bundle: zipfile.ZipFile, name: str, content: bytes) -> None:
    member = zipfile.ZipInfo(name, _EPOCH)
    member.create_system = 3  # whatever system writes it
    member.compress_type = zipfile.ZIP_DEFLATED
    bundle.writestr(member, content, compresslevel=1)


def read_npz(path: Path, schema: str) -> tuple[dict[str, Any], dict[str, Array]]:
    """Header and arrays of the file at ``path``.

    Raises:
        UsageError: the file cannot be read, is none of ours, or is of another schema.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            header = json.loads(bundle.read(_HEADER))
            found = header.pop("schema")
            if found != schema:
                raise UsageError(f"{path}: holds {found}, expected {schema}; save it again with this version")
            arrays = {
                name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(bundle.read(name)), allow_pickle=False)
                for name in bundle.namelist()
                if name != _HEADER
            }
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, KeyError, AttributeError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: is no file saved by this project: {error}") from error
    return header, arrays


def spec_to_json(spec: HardwareSpec) -> dict[str, Any]:
    """The chip's file as JSON can hold it: fractions become ``{"fraction": "103/5"}``."""
    plain: dict[str, Any] = _plain(spec.raw)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return {_FRACTION: str(value)} if isinstance(value, Fraction) else value


def spec_from_json(raw: Mapping[str, Any]) -> HardwareSpec:
    """The chip that :func:`spec_to_json` wrote down.

    Raises:
        HardwareSpecError: the content breaks the schema of chip files.
    """
    return build(_exact(raw), f"saved chip {raw.get('name')}")


def _exact(value: Any) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {_FRACTION}:
            return Fraction(value[_FRACTION])
        return {k: _exact(v) for k, v in value.items()}
    return [_exact(v) for v in value] if isinstance(value, list) else value
