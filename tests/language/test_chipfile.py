"""A chip file is read completely or not at all, and the message says which key of which file to mend."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascendc.language.chipfile import CHIPS, names
from ascendc.language.enums import HardEvent, PipeID, TPosition
from ascendc.language.errors import HardwareSpecError
from ascendc.language.hardware import HardwareSpec, Status

DEMO = (CHIPS / "demo.toml").read_text(encoding="utf-8")


def edited(folder: Path, old: str, new: str) -> Path:
    """The demo chip with one edit, as the user's own file."""
    assert old in DEMO
    return written(folder, DEMO.replace(old, new, 1))


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def message(chip: str | Path) -> str:
    with pytest.raises(HardwareSpecError) as caught:
        HardwareSpec.load(chip)
    return str(caught.value)


# ---- what is shipped ----


@pytest.mark.parametrize("name", names())
def test_every_shipped_chip_loads_under_its_own_name(name: str) -> None:
    """The file's name is the chip's name."""
    assert HardwareSpec.load(name).name == name


@pytest.mark.parametrize(
    ("name", "aiv", "aic", "mhz", "l2_mib", "hbm_gib", "peak_gbps"),
    [
        ("Ascend910B1", 48, 24, 1850, 192, 64, 1600),
        ("Ascend910B2", 48, 24, 1800, 192, 64, 1600),
        ("Ascend910B3", 40, 20, 1800, 192, 64, 1600),
        ("Ascend910B4", 40, 20, 1500, 96, 32, 800),
    ],
)
def test_the_910b_family_differs_in_counts_clocks_and_memory(
    name: str, aiv: int, aic: int, mhz: int, l2_mib: int, hbm_gib: int, peak_gbps: int
) -> None:
    """The platform files' numbers, one row a chip."""
    spec = HardwareSpec.load(name)

    assert (spec.core["aiv"].count, spec.core["aic"].count) == (aiv, aic)
    assert {spec.core["aiv"].mhz, spec.core["aic"].mhz, spec.clock.reference_mhz} == {mhz}
    assert (spec.l2.bytes, spec.hbm.bytes) == (l2_mib << 20, hbm_gib << 30)
    assert spec.hbm.peak_gbps == peak_gbps


def test_the_cores_of_a_910b1_are_those_of_the_split_architecture() -> None:
    """13 flag directions on a vector core; on a cube core the 24 that do not touch V; sizes in KiB as published."""
    spec = HardwareSpec.load("Ascend910B1")
    aiv, aic = spec.core["aiv"], spec.core["aic"]

    assert (len(aiv.events), len(aic.events)) == (13, 24)
    assert {e for e in HardEvent if PipeID.PIPE_V not in (e.source, e.target)} == set(aic.events)
    assert {n: m.bytes >> 10 for n, m in aic.memory.items()} == {
        "l1": 512,
        "l0a": 64,
        "l0b": 64,
        "l0c": 128,
        "bt": 1,
        "fb": 2,
    }
    assert aiv.memory["ub"].bytes - aiv.memory["ub"].warn_above_bytes == 256
    assert aic.positions[TPosition.CO1] == "l0c"
    assert aic.routes["l0c_to_gm"] is PipeID.PIPE_FIX


def test_launching_one_core_and_all_cores_takes_the_published_times() -> None:
    """0.46 us on one core, about 6 us on 48."""
    launch = HardwareSpec.load("Ascend910B1").launch

    assert float(launch.base_us + launch.per_core_us) == pytest.approx(0.46, abs=0.005)
    assert float(launch.base_us + 48 * launch.per_core_us) == pytest.approx(6, abs=0.05)


@pytest.mark.parametrize("name", names())
def test_every_path_to_global_memory_has_its_numbers(name: str) -> None:
    """A core's route from or to ``gm`` is a key of ``route``, and no number there is for a path nobody has."""
    spec = HardwareSpec.load(name)
    paths = {r for core in spec.core.values() for r in core.routes if "gm" in r.split("_to_")}

    assert set(spec.route) == paths


def test_fractions_of_the_file_are_exact() -> None:
    """20.6 cycles are 103/5 of a cycle, not the nearest double."""
    assert HardwareSpec.load("Ascend910B1").route["gm_to_ub"].issue_cycles == Fraction(103, 5)


# ---- which file ----


def test_an_unknown_chip_is_answered_with_the_known_ones() -> None:
    """A typo gets a suggestion."""
    assert message("Ascend910B9") == (
        "no chip named 'Ascend910B9'; there are: Ascend910B1, Ascend910B2, Ascend910B3, Ascend910B4, demo, "
        "or the path of a .toml file; did you mean Ascend910B4?"
    )


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The path as given, and the system's reason."""
    path = tmp_path / "none.toml"

    assert message(path) == f"{path}: cannot be read: No such file or directory"


def test_broken_toml_is_reported_with_its_place(tmp_path: Path) -> None:
    """Line and column are the TOML reader's."""
    path = written(tmp_path, "schema = 1\nname = \n")

    assert message(path) == f"{path}: is no valid TOML: Invalid value (at line 2, column 8)"


def test_a_file_that_is_no_text_is_reported(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 cannot be read."""
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")

    assert message(path).startswith(f"{path}: cannot be read: 'utf-8' codec")


# ---- what it says ----


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "achievable_gbps = 128",
            "achievable_tbps = 1",
            "unknown key hbm.achievable_tbps; did you mean achievable_gbps",
        ),
        ("mhz = 1000\npipes", "ghz = 1\npipes", "unknown key core.aiv.ghz; did you mean mhz"),
        (
            "[hbm]",
            "[zzz]",
            "unknown key zzz; known: schema, name, architecture, clock, core, group, limits, scalar, "
            "vector, route, l2, hbm, launch",
        ),
        ("peak_gbps = 128\n", "", "missing key hbm.peak_gbps"),
        ("line_bytes = 512\n", "", "missing key l2.line_bytes"),
        ("schema = 1", "schema = 2", "schema must be 1, got 2"),
        ("schema = 1\n", "", "schema must be 1, got None"),
        ('name = "demo"', "name = 7", "name must be a text, got 7"),
        ("count = 2", 'count = "2"', "core.aiv.count must be a whole number, 0 or more, got '2'"),
        ("count = 2", "count = 2.5", "core.aiv.count must be a whole number, 0 or more, got 2.5"),
        ("count = 2", "count = true", "core.aiv.count must be a whole number, 0 or more, got True"),
        ("count = 2", "count = 0", "core.aiv needs a count and a clock above 0"),
        ("row_cycles = 1", "row_cycles = -1", "route.gm_to_ub.row_cycles must be a number, 0 or more, got -1"),
        ("row_cycles = 1", 'row_cycles = "1"', "route.gm_to_ub.row_cycles must be a number, 0 or more, got '1'"),
        (
            "any = 1 }",
            "any = false }",
            "vector.cost.simple.cycles_per_repeat.any must be a number, 0 or more, got False",
        ),
        ('"MTE2_V", "V_MTE2"', '"MTE2_W"', "core.aiv.events must be one of "),
        (
            'pipes = ["S", ',
            'pipes = ["X", ',
            "core.aiv.pipes must be one of S, V, M, MTE1, MTE2, MTE3, ALL, FIX, got 'X'",
        ),
        ('pipes = ["S", "V", "MTE2", "MTE3"]', 'pipes = "S"', "core.aiv.pipes must be a list, got 'S'"),
        (
            'status = "assumed"',
            'status = "guess"',
            "clock.status must be one of documented, measured, assumed, got 'guess'",
        ),
        ('VECIN = "ub"', 'VECIN = "l1"', "core.aiv.positions.VECIN is 'l1', no memory of the core; it has: ub"),
        ('gm_to_ub = "MTE2"', 'gm_to_l1 = "MTE2"', "core.aiv.routes.gm_to_l1 does not join two memories, as x_to_y"),
        ('gm_to_ub = "MTE2"', 'gm_to_ub = "MTE1"', "core.aiv.routes.gm_to_ub uses MTE1, no pipe of the core"),
        ("line_bytes = 512", "line_bytes = 0", "l2.line_bytes must be above 0"),
        ("outstanding_lines = 64", "outstanding_lines = 0", "route.gm_to_ub.outstanding_lines must be above 0"),
    ],
)
def test_a_wrong_key_is_named_with_its_file(tmp_path: Path, old: str, new: str, expected: str) -> None:
    """File, dotted key, what was expected, what was found."""
    assert message(edited(tmp_path, old, new)).startswith(f"mine.toml: {expected}")


def test_a_table_where_a_number_belongs_and_the_reverse_are_told_apart(tmp_path: Path) -> None:
    """``[group]`` as a number, and a memory list as a number."""
    text = DEMO.replace("[group]\naiv_per_aic = 2", "[group]\naiv_per_aic = {}")
    assert message(written(tmp_path, text)) == "mine.toml: group.aiv_per_aic must be a whole number, 0 or more, got {}"

    text = re.sub(r"\[group\]\n.*\n.*\n.*\n", "", DEMO).replace("schema = 1", "schema = 1\ngroup = 2")
    assert message(written(tmp_path, text)) == "mine.toml: group must be a table, got 2"

    text = re.sub(r"\[core.aiv.positions\]\n(.*\n){3}", "", DEMO).replace("count = 2", "count = 2\npositions = 1")
    assert message(written(tmp_path, text)) == "mine.toml: core.aiv.positions must be a table, got 1"


def test_a_cube_core_alone_is_no_chip(tmp_path: Path) -> None:
    """A chip has both kinds, or vector cores only, or fused ones."""
    text = DEMO.replace("[core.aiv", "[core.aic")

    assert message(written(tmp_path, text)) == "mine.toml: core must have aiv and aic, or fused; got aic"


def test_a_fused_chip_fits_the_schema(tmp_path: Path) -> None:
    """One kind of core with all pipes needs no other code."""
    spec = HardwareSpec.load(written(tmp_path, DEMO.replace("[core.aiv", "[core.fused")))

    assert spec.vector_kind == "fused"


# ---- files that extend a chip ----


def test_a_file_may_say_only_what_differs(tmp_path: Path) -> None:
    """A faster memory is five lines; everything else is the extended chip's."""
    spec = HardwareSpec.load(written(tmp_path, '''
        extends = "Ascend910B1"
        name = "fast"
        [hbm]
        achievable_gbps = 3000
        source = "what if"
        status = "assumed"
    '''))  # fmt: skip
    base = HardwareSpec.load("Ascend910B1")

    assert (spec.name, spec.hbm.achievable_gbps, spec.hbm.status) == ("fast", 3000, Status.ASSUMED)
    assert spec.hbm.bytes == base.hbm.bytes
    assert spec.route == base.route
    assert spec.runs(base)


def test_a_file_may_extend_a_file_beside_it(tmp_path: Path) -> None:
    """Relative to the file, not to where the command is run."""
    written(tmp_path, DEMO, "base.toml")

    assert HardwareSpec.load(written(tmp_path, 'extends = "base.toml"\nname = "mine"')).clock.reference_mhz == 1000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('extends = "910"', "extends '910', which is no file beside it and no chip; there are: "),
        ('extends = "mine.toml"', "extends itself, by way of mine.toml"),
        ("extends = 910", "extends must be a chip's name or a .toml file, got 910"),
        ('extends = "demo"\n[l2]\nbytes = 1', "l2 changes the extended chip's numbers, so it needs its own source"),
        (
            'extends = "demo"\n[vector.cost.divide]\nhead_cycles = 1\nsource = "x"',
            "vector.cost.divide changes the extended chip's numbers, so it needs its own status",
        ),
        ('extends = "demo"\n[l2]\nsize = 1\nsource = "x"\nstatus = "assumed"', "unknown key l2.size; known: bytes, "),
    ],
)
def test_what_extends_badly_is_told(tmp_path: Path, text: str, expected: str) -> None:
    """The message names the file that extends, and a changed number may not keep another number's source."""
    assert message(written(tmp_path, text)).startswith(f"mine.toml: {expected}")


# ---- replace ----


def test_replace_changes_one_number_of_a_copy() -> None:
    """The original keeps its own."""
    demo = HardwareSpec.load("demo")
    changed = demo.replace({"hbm.achievable_gbps": 0.5, "core.aiv.count": 4})

    assert (changed.hbm.achievable_gbps, changed.core["aiv"].count) == (Fraction(1, 2), 4)
    assert (demo.hbm.achievable_gbps, demo.core["aiv"].count) == (128, 2)
    assert changed != demo


@pytest.mark.parametrize("key", ["hbm.rate", "hbm", "nothing.here", "schema.deep"])
def test_replace_refuses_keys_that_do_not_exist(key: str) -> None:
    """A misspelt what-if is an error, not a run with the old number."""
    with pytest.raises(HardwareSpecError, match=rf"^demo: (there is no key '{key}' to replace|{key} must be a table)"):
        HardwareSpec.load("demo").replace({key: 1})


def test_replace_checks_the_type() -> None:
    """As strictly as the file's own reader."""
    with pytest.raises(HardwareSpecError, match=r"^demo: core\.aiv\.count must be a whole number, 0 or more, got '4'$"):
        HardwareSpec.load("demo").replace({"core.aiv.count": "4"})


@given(gbps=st.integers(1, 10**6))
def test_replacing_there_and_back_is_the_same_chip(gbps: int) -> None:
    """Equality is equality of numbers."""
    demo = HardwareSpec.load("demo")

    assert demo.replace({"hbm.achievable_gbps": gbps}).replace({"hbm.achievable_gbps": 128}) == demo
