"""Names that are not there: what their author may have meant, or why they are missing."""

from __future__ import annotations

import difflib
import re

import ascendc

MISSING = {
    "matrices: no cube core is modelled yet": "fixpipe init_const_value load_data load_data_with_sparse "
    "load_data_with_transpose mmad mmad_with_sparse set_fix_pipe_pre_quant_flag set_hf32_mode set_hf32_trans_mode "
    "set_load_data_boundary set_load_data_padding_value set_load_data_repeat set_mm_layout_transform",
    "order between cores: blocks only meet in global memory yet": "cross_core_set_flag cross_core_wait_flag ib_set "
    "ib_wait notify_next_block sync_all wait_pre_block",
    "communication: a launch knows one device, and no other to talk to": "get_hccl_context set_hccl_context",
    "images: their unit feeds the cube core from pictures, and is no part of the model": "load_image_to_local "
    "set_aipp_functions",
    "region proposals: of chips before A2; `sort32`, `mrg_sort` and `extract` took their place": "mrg_sort4 "
    "proposal_concat proposal_extract rp_sort16",
}
"""Ascend C's names in Python spelling, by the reason why they are not there; those that are drop out."""

_CLOSE = 0.75
"""Likeness above which a name may have been meant."""


def no_attribute(name: str, module: str = "ascendc") -> AttributeError:
    """The error that ``asc.NAME`` or ``asc.adv.NAME`` does not exist: what was meant, or why it is not there."""
    text = f"module {module!r} has no attribute {name!r}"
    if name.startswith("_"):  # Python and its tools ask for these, to see whether they are there
        return AttributeError(text)
    if why := why_missing(name):
        return AttributeError(f"{text}: {why}")
    meant = _meant(name)
    return AttributeError(f"{text}; did you mean {' or '.join(meant)}?" if meant else text)


def why_missing(name: str) -> str:
    """Why Ascend C's ``name``, in either spelling, is not here; nothing, if it is no name of Ascend C's."""
    return next((why for why, names in MISSING.items() if _snake(name) in names.split()), "")


def _meant(name: str) -> list[str]:
    """The same in C++'s spelling, or in the other module; else what is written nearly so."""
    known = {n: f"asc.{n}" for n in ascendc.__all__}
    high_level = {n: f"asc.adv.{n}" for n in ascendc.adv.__all__}
    cpp = {op.cpp: op.name for op in ascendc.ISA.values()} | {f.cpp: f.name for f in ascendc.adv.FUNCTIONS.values()}
    same = cpp.get(name, _snake(name))
    if found := [names[same] for names in (known, high_level) if same in names]:
        return found
    return [(high_level | known)[n] for n in difflib.get_close_matches(name, {**high_level, **known}, 2, _CLOSE)]


def _snake(cpp: str) -> str:
    """A name of Ascend C in Python spelling, as far as a rule can tell: ``data_copy`` for ``DataCopy``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cpp).lower()
