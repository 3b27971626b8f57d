"""The benchmark of masks and strides knows every vector instruction."""

from __future__ import annotations

import pytest

from benchmarks.form_subjects import Subject
from benchmarks.forms import families, launch, masks

FAMILIES = list(families())


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family[0].family)
def test_every_instruction_is_called_as_the_benchmark_calls_it(family: list[Subject]) -> None:
    """With all lanes, once for each of its types: each call is a row."""
    for subject in family:
        program, seconds = launch(subject, next(masks(subject, 1)))

        assert [row.template.op.name for row in program.blocks[0]].count(subject.op) > 1
        assert seconds > 0
