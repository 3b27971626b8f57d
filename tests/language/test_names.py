"""Names that are not there: the message says what was meant, or why they are missing."""

from __future__ import annotations

import pytest

import ascendc as asc


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("DataCopy", "; did you mean asc.data_copy?"),
        ("And", "; did you mean asc.bitwise_and?"),
        ("GetBlockIdx", "; did you mean asc.get_block_idx?"),
        ("int8_t", "; did you mean asc.int8?"),
        ("reduce_summ", "; did you mean asc.reduce_sum or asc.pair_reduce_sum?"),
        ("softmax", "; did you mean asc.adv.softmax?"),
        ("SoftMax", "; did you mean asc.adv.softmax?"),
        ("mmad", ": matrices: no cube core is modelled yet"),
        ("SyncAll", ": order between cores: blocks only meet in global memory yet"),
        ("advanced", ""),
        ("__wrapped__", ""),
    ],
)
def test_a_name_of_the_package(name: str, rest: str) -> None:
    """In C++'s spelling, nearly right, of the other module, not there yet, or like nothing."""
    with pytest.raises(AttributeError) as caught:
        getattr(asc, name)

    assert str(caught.value) == f"module 'ascendc' has no attribute {name!r}{rest}"


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("soft_max", "; did you mean asc.adv.softmax?"),
        ("AscendQuant", "; did you mean asc.adv.quant?"),
        ("adds", "; did you mean asc.adds?"),
        ("__wrapped__", ""),
    ],
)
def test_a_name_of_the_functions(name: str, rest: str) -> None:
    """Likewise."""
    with pytest.raises(AttributeError) as caught:
        getattr(asc.adv, name)

    assert str(caught.value) == f"module 'ascendc.adv' has no attribute {name!r}{rest}"


@pytest.mark.parametrize(
    ("enum", "name", "rest"),
    [
        (asc.HardEvent, "MTE2_VV", "; did you mean MTE2_V or MTE3_V?"),
        (asc.RoundMode, "RINT", "; did you mean CAST_RINT?"),
        (asc.TPosition, "vecin", "; did you mean VECIN?"),
        (asc.MaskMode, "COUNT", "; did you mean COUNTER?"),
        (asc.MaskMode, "BITS", "; there are: NORMAL, COUNTER"),
        (asc.MaskMode, "__wrapped__", ""),
    ],
)
def test_a_member_of_an_enum(enum: type, name: str, rest: str) -> None:
    """The nearest, or all."""
    with pytest.raises(AttributeError) as caught:
        getattr(enum, name)

    assert str(caught.value) == f"{enum.__name__} has no {name}{rest}"
