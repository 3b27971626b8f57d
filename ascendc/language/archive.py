"""Programs as files: see :mod:`ascendc.language.npz` for the container.

Instructions are saved by name, and found again among those this version declares.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import enums
from .compare import Comparison, Wrong
from .dtypes import DTYPES, DataType
from .enums import HardEvent, PipeID
from .errors import UsageError
from .findings import Finding, Severity
from .isa.op import Op
from .npz import read_npz, spec_from_json, spec_to_json, write_npz
from .program import Block, Footprint, GlobalArray, Kind, Program, Site, Space, Template

SCHEMA: Final = "program/1"

Loaded = TypeVar("Loaded", bound=Program)

_COLUMNS = {"rows": np.int32, "addresses": np.int64, "immediates": np.float64}


def save_program(program: Program, path: Path) -> None:
    """See :meth:`Program.save`."""
    header = {
        "kernel": program.kernel,
        "chip": spec_to_json(program.spec),
        "templates": [_template_to_json(t) for t in program.templates],
        "blocks": [block.kind for block in program.blocks],
        "arrays": [asdict(array) for array in program.arrays],
        "findings": [{**asdict(f), "severity": f.severity.value} for f in program.findings],
        "auto_sync": program.auto_sync,
        "comparisons": [asdict(c) for c in program.comparisons],
    }
    arrays: dict[str, NDArray[Any]] = {}
    for name, dtype in _COLUMNS.items():
        columns = [getattr(block, name) for block in program.blocks]
        arrays[name] = np.concatenate([np.empty(0, dtype), *columns])
        arrays[f"{name}_counts"] = np.array([len(column) for column in columns], np.int64)
    write_npz(path, SCHEMA, header, arrays)


def load_program(cls: type[Loaded], path: Path) -> Loaded:
    """See :meth:`Program.load`."""
    from .isa import ISA  # noqa: PLC0415  the instructions need the modules that this one serves

    header, arrays = read_npz(path, SCHEMA)
    templates = tuple(_template_from_json(t, ISA, path) for t in header["templates"])
    columns = [_split(arrays[name], arrays[f"{name}_counts"]) for name in _COLUMNS]
    return cls(
        kernel=header["kernel"],
        spec=spec_from_json(header["chip"]),
        templates=templates,
        blocks=tuple(Block(kind, templates, *own) for kind, *own in zip(header["blocks"], *columns, strict=True)),
        arrays=tuple(GlobalArray(**{**array, "shape": tuple(array["shape"])}) for array in header["arrays"]),
        findings=tuple(_finding_from_json(f) for f in header["findings"]),
        auto_sync=header["auto_sync"],
        comparisons=tuple(_comparison_from_json(c) for c in header.get("comparisons", ())),
    )


def _split(column: NDArray[Any], counts: NDArray[np.int64]) -> list[NDArray[Any]]:
    column.flags.writeable = False
    return np.split(column, np.cumsum(counts)[:-1]) if len(counts) else []


def _template_to_json(template: Template) -> dict[str, Any]:
    return {
        "op": template.op.name,
        "kind": template.kind.name,
        "pipe": template.pipe.name,
        "site": asdict(template.site),
        "stage": template.stage,
        "dtype": template.dtype,
        "params": [(name, _to_json(value)) for name, value in template.params],
        "operands": template.operands,
        "footprints": [{**asdict(f), "space": f.space.name} for f in template.footprints],
        "event": template.event and (template.event[0].name, template.event[1]),
        "immediates": template.immediates,
        "auto": template.auto,
        "queued": template.queued,
    }


def _template_from_json(saved: Mapping[str, Any], isa: Mapping[str, Op], path: Path) -> Template:
    if saved["op"] not in isa:
        raise UsageError(f"{path}: has the instruction {saved['op']!r}, which this version lacks; launch again")
    event = saved["event"]
    return Template(
        op=isa[saved["op"]],
        kind=Kind[saved["kind"]],
        pipe=PipeID[saved["pipe"]],
        site=Site(**saved["site"]),
        stage=saved["stage"],
        dtype=saved["dtype"],
        params=tuple((name, _from_json(value)) for name, value in saved["params"]),
        operands=tuple(saved["operands"]),
        footprints=tuple(_footprint_from_json(f) for f in saved["footprints"]),
        event=event and (HardEvent[event[0]], event[1]),
        immediates=saved["immediates"],
        auto=saved["auto"],
        queued=saved["queued"],
    )


def _footprint_from_json(saved: Mapping[str, Any]) -> Footprint:
    levels = tuple((count, pitch) for count, pitch in saved["levels"])
    return Footprint(**{**saved, "space": Space[saved["space"]], "levels": levels})


def _finding_from_json(saved: Mapping[str, Any]) -> Finding:
    return Finding(
        saved["kind"], Severity(saved["severity"]), saved["message"], tuple(saved["lines"]), tuple(saved["blocks"])
    )


def _comparison_from_json(saved: Mapping[str, Any]) -> Comparison:
    since = saved["since"]
    first = tuple(Wrong(*wrong) for wrong in saved["first"])
    blocks = tuple(saved["blocks"])
    return Comparison(**{**saved, "first": first, "blocks": blocks, "since": since and tuple(since)})


def _to_json(value: Any) -> Any:
    """A parameter, with a mark where JSON would lose its type."""
    if isinstance(value, enum.Enum):
        return {"enum": [type(value).__name__, value.name]}
    if isinstance(value, DataType):
        return {"dtype": value.name}
    if isinstance(value, tuple):
        return {"tuple": [_to_json(v) for v in value]}
    return value


def _from_json(saved: Any) -> Any:
    match saved:
        case {"enum": [kind, name]}:
            return getattr(enums, kind)[name]
        case {"dtype": name}:
            return DTYPES[name]
        case {"tuple": values}:
            return tuple(_from_json(v) for v in values)
    return saved
