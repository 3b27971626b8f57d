"""Reading chip files: TOML in, a checked :class:`HardwareSpec` out.

The schema is the dataclasses of ``hardware.py``: every field is a key, every key is required, and
nothing else may be there.  Errors name the file, the dotted key and what was expected.  A file that
``extends`` another chip holds only what differs; every group it touches says its own ``source``.
"""

from __future__ import annotations

import dataclasses
import difflib
import enum
import tomllib
import types
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from .enums import PipeID
from .errors import HardwareSpecError
from .hardware import CoreKind, HardwareSpec

CHIPS = Path(__file__).parent.parent / "chips"
SCHEMA = 1


def names() -> list[str]:
    """The chips that come with the package, sorted."""
    return sorted(p.stem for p in CHIPS.glob("*.toml"))


def load(chip: str | Path | HardwareSpec) -> HardwareSpec:
    """See :meth:`HardwareSpec.load`."""
    if isinstance(chip, HardwareSpec):
        return chip
    if not isinstance(chip, str | Path):
        raise HardwareSpecError(f"a chip is a name, the path of a .toml file or a HardwareSpec, got {chip!r}")
    path = Path(chip)
    if path.suffix != ".toml":
        if str(chip) not in names():
            close = difflib.get_close_matches(str(chip), names(), 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise HardwareSpecError(
                f"no chip named {str(chip)!r}; there are: {', '.join(names())}, or the path of a .toml file{hint}"
            )
        return _load(CHIPS / f"{chip}.toml")
    return _read(path)


@cache
def _load(path: Path) -> HardwareSpec:
    return _read(path)


def _read(path: Path) -> HardwareSpec:
    return build(_content(path), path.name)


def _content(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """What the file says, and for the rest what the chip it extends says."""
    if path.resolve() in above:
        raise HardwareSpecError(f"{path.name}: extends itself, by way of {' and '.join(p.name for p in above)}")
    raw = _parse(path)
    if "extends" not in raw:
        return raw
    base = raw.pop("extends")
    if not isinstance(base, str):
        raise HardwareSpecError(f"{path.name}: extends must be a chip's name or a .toml file, got {_shown(base)}")
    where = path.parent / base if base.endswith(".toml") else CHIPS / f"{base}.toml"
    if not where.is_file():
        raise HardwareSpecError(
            f"{path.name}: extends {base!r}, which is no file beside it and no chip; there are: {', '.join(names())}"
        )
    return _merge(_content(where, (*above, path.resolve())), raw, path.name, "")


def _merge(base: dict[str, Any], changes: Mapping[str, Any], file: str, where: str) -> dict[str, Any]:
    has_numbers = any(not isinstance(v, dict) for v in changes.values())
    for key in ("source", "status"):
        if has_numbers and key in base and key not in changes:
            raise HardwareSpecError(f"{file}: {where} changes the extended chip's numbers, so it needs its own {key}")
    merged = {
        key: _merge(base[key], value, file, _dot(where, key))
        for key, value in changes.items()
        if isinstance(value, dict) and isinstance(base.get(key), dict)
    }
    return {**base, **changes, **merged}


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Fraction)
    except (OSError, UnicodeDecodeError) as error:
        raise HardwareSpecError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise HardwareSpecError(f"{path}: is no valid TOML: {error}") from error


def build(raw: Mapping[str, Any], file: str) -> HardwareSpec:
    """A chip from the content of a file called ``file``.

    Raises:
        HardwareSpecError: the content breaks the schema.
    """
    if raw.get("schema") != SCHEMA:
        raise HardwareSpecError(f"{file}: schema must be {SCHEMA}, got {raw.get('schema')!r}")
    spec: HardwareSpec = _table(HardwareSpec, {**raw, "raw": raw}, file, "")
    _check(spec, file)
    return spec


def replace(spec: HardwareSpec, changes: Mapping[str, Any]) -> HardwareSpec:
    """See :meth:`HardwareSpec.replace`."""
    raw = _copy(spec.raw)
    for dotted, value in changes.items():
        *path, last = dotted.split(".")
        table: Any = raw
        for key in path:
            table = table.get(key) if isinstance(table, dict) else None
        if not isinstance(table, dict) or last not in table:
            known = (
                f"{'.'.join(path) or 'a chip'} has: {', '.join(table)}" if isinstance(table, dict) else "see its file"
            )
            raise HardwareSpecError(f"{spec.name}: there is no key {dotted!r} to replace; {known}")
        table[last] = Fraction(str(value)) if isinstance(value, float) else value
    return build(raw, spec.name)


def _copy(value: Any) -> Any:
    return {k: _copy(v) for k, v in value.items()} if isinstance(value, Mapping) else value


def _table(cls: type, raw: Any, file: str, where: str) -> Any:
    if not isinstance(raw, Mapping):
        raise HardwareSpecError(f"{file}: {where} must be a table, got {raw!r}")
    hints = get_type_hints(cls)
    wanted = [f.name for f in dataclasses.fields(cls)]
    for key in raw:
        if key not in wanted:
            close = difflib.get_close_matches(key, wanted, 1)
            hint = f"did you mean {close[0]}" if close else f"known: {', '.join(w for w in wanted if w != 'raw')}"
            raise HardwareSpecError(f"{file}: unknown key {_dot(where, key)}; {hint}")
    for key in wanted:
        if key not in raw:
            raise HardwareSpecError(f"{file}: missing key {_dot(where, key)}")
    return cls(**{k: v if k == "raw" else _value(hints[k], v, file, _dot(where, k)) for k, v in raw.items()})


def _value(hint: Any, raw: Any, file: str, where: str) -> Any:
    """``raw`` as the type ``hint`` asks for."""
    if dataclasses.is_dataclass(hint):
        return _table(hint, raw, file, where)  # type: ignore[arg-type]
    if get_origin(hint) is Mapping:
        key, value = get_args(hint)
        if not isinstance(raw, Mapping):
            raise HardwareSpecError(f"{file}: {where} must be a table, got {raw!r}")
        return types.MappingProxyType(
            {_value(key, k, file, where): _value(value, v, file, _dot(where, k)) for k, v in raw.items()}
        )
    if get_origin(hint) is tuple:
        if not isinstance(raw, list):
            raise HardwareSpecError(f"{file}: {where} must be a list, got {raw!r}")
        return tuple(_value(get_args(hint)[0], v, file, where) for v in raw)
    return _leaf(hint, raw, file, where)


def _leaf(hint: Any, raw: Any, file: str, where: str) -> Any:
    if hint is Fraction:
        if isinstance(raw, bool) or not isinstance(raw, int | Fraction) or raw < 0:
            raise HardwareSpecError(f"{file}: {where} must be a number, 0 or more, got {_shown(raw)}")
        return Fraction(raw)
    if hint is int:
        if isinstance(raw, bool) or not isinstance(raw, int) or raw < 0:
            raise HardwareSpecError(f"{file}: {where} must be a whole number, 0 or more, got {_shown(raw)}")
        return raw
    if hint is str:
        if not isinstance(raw, str) or not raw:
            raise HardwareSpecError(f"{file}: {where} must be a text, got {_shown(raw)}")
        return raw
    return _member(hint, raw, file, where)


def _member(hint: type[enum.Enum], raw: Any, file: str, where: str) -> enum.Enum:
    prefix = "PIPE_" if hint is PipeID else ""
    by_value = {m.value: m for m in hint if isinstance(m.value, str)}
    found = by_value.get(raw) if by_value else hint.__members__.get(f"{prefix}{raw}")
    if found is None:
        choices = by_value or [n.removeprefix(prefix) for n in hint.__members__]
        raise HardwareSpecError(f"{file}: {where} must be one of {', '.join(choices)}, got {_shown(raw)}")
    return found


def _shown(raw: Any) -> str:
    return str(float(raw)) if isinstance(raw, Fraction) else repr(raw)


def _dot(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _check(spec: HardwareSpec, file: str) -> None:
    """What types cannot say: names that must agree with each other, numbers that are divided by."""
    if not ({"aiv", "aic"} <= spec.core.keys() or set(spec.core) in ({"fused"}, {"aiv"})):
        raise HardwareSpecError(f"{file}: core must have aiv and aic, or fused; got {', '.join(spec.core) or 'none'}")
    for kind, core in spec.core.items():
        _check_core(f"{file}: core.{kind}", core)
    divisors = {
        "clock.reference_mhz": spec.clock.reference_mhz,
        "l2.line_bytes": spec.l2.line_bytes,
        "l2.achievable_gbps": spec.l2.achievable_gbps,
        "hbm.achievable_gbps": spec.hbm.achievable_gbps,
        "vector.repeat_bytes": spec.vector.repeat_bytes,
    }
    for name, route in spec.route.items():
        for field in ("l2_bytes_per_cycle", "hbm_bytes_per_cycle", "outstanding_lines"):
            divisors[f"route.{name}.{field}"] = getattr(route, field)
    for key, number in divisors.items():
        if not number:
            raise HardwareSpecError(f"{file}: {key} must be above 0")


def _check_core(where: str, core: CoreKind) -> None:
    memories = ("gm", *core.memory)
    for position, memory in core.positions.items():
        if memory not in core.memory:
            raise HardwareSpecError(
                f"{where}.positions.{position.name} is {memory!r}, no memory of the core; it has: "
                f"{', '.join(core.memory)}"
            )
    for route, pipe in core.routes.items():
        ends = route.split("_to_")
        if len(ends) != 2 or not set(ends) <= set(memories):
            raise HardwareSpecError(
                f"{where}.routes.{route} does not join two memories, as x_to_y; there are: {', '.join(memories)}"
            )
        if pipe not in core.pipes:
            pipes = ", ".join(p.short for p in core.pipes)
            raise HardwareSpecError(f"{where}.routes.{route} uses {pipe.short}, no pipe of the core; it has: {pipes}")
    if not core.count or not core.mhz:
        raise HardwareSpecError(f"{where} needs a count and a clock above 0, got count {core.count} and mhz {core.mhz}")
