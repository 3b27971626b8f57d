"""Records of sorting: 8 bytes each, a score and the index it came with.

The score is in the first bytes, of type float32 or float16 (two bytes behind that are unused), the index in
the last four.  Records are in order if their scores descend; of equal ones the earlier comes first.  A score
that is no number comes last: the chip's own order of those is not written down.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
BYTES = 8
"""Of a record."""


def order(scores: Array) -> NDArray[np.intp]:
    """Numbers of the scores of each row in descending order."""
    return np.argsort(-scores, axis=-1, kind="stable")


def is_descending(scores: Array) -> bool:
    """Whether a row of scores is sorted."""
    before, after = scores[:-1], scores[1:]
    return bool(np.all((before >= after) | np.isnan(after)))


def made(scores: Array, indices: Array) -> Array:
    """Rows of records as bytes, from rows of scores and of indices."""
    out = np.zeros((*scores.shape, BYTES), np.uint8)
    out[..., : scores.itemsize] = scores[..., None].view(np.uint8)
    out[..., 4:] = indices[..., None].view(np.uint8)
    return out.reshape(len(scores), -1)


def scores_of(records: Array, kind: np.dtype[Any]) -> Array:
    """The scores of records given as bytes."""
    scores: Array = np.ascontiguousarray(records.reshape(-1, BYTES)[:, : kind.itemsize]).view(kind).ravel()
    return scores
