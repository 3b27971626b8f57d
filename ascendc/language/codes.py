"""From the numbers a device answers with to our errors: ``python -m ascendc.language.codes`` is ``docs/errors.md``.

On the chip many mistakes end in one number, or in none.  Who searches for such a number should find what to look for.
"""

from __future__ import annotations

import enum
import inspect
import sys
from collections.abc import Iterator

from . import errors
from .errors import AscendError

CODES = {
    507000: "internal error of the runtime",
    507014: "timeout of a cube core, or of a core that is both",
    507015: "exception of a cube core, or of a core that is both",
    507018: "exception of the AICPU; also what a hanging kernel can end in",
    507034: "timeout of a vector core",
    507035: "exception of a vector core",
    507046: "timeout of the host while it waits for a stream",
}
"""What the numbers mean by their names in CANN's ``acl/error_codes/rt_error_codes.h``, and how users report them
(case U01 and the barrier case of the catalogue)."""


class Fate(enum.Enum):
    """What becomes of a mistake on the chip."""

    FAULT = "the core stops"
    HANG = "it waits until a time limit ends it"
    SILENT = "nothing: the result is wrong, at times"
    REFUSED = "never gets there"

    @property
    def codes(self) -> tuple[int, ...]:
        """The numbers it can end in; a whole launch that fails may be reported as 507000."""
        return _CODES[self]


_CODES = {
    Fate.FAULT: (507015, 507035, 507000),
    Fate.HANG: (507014, 507034, 507018, 507046, 507000),
    Fate.SILENT: (),
    Fate.REFUSED: (),
}

FATES: dict[type[AscendError], tuple[Fate, ...]] = {
    errors.CapacityError: (Fate.FAULT, Fate.SILENT),
    errors.QueueStateError: (Fate.HANG, Fate.SILENT),
    errors.EventError: (Fate.HANG, Fate.SILENT),
    errors.AlignmentError: (Fate.FAULT, Fate.SILENT),
    errors.RangeError: (Fate.FAULT, Fate.SILENT),
    errors.OutOfBoundsError: (Fate.FAULT, Fate.SILENT),
    errors.DtypeError: (Fate.REFUSED,),
    errors.PositionError: (Fate.REFUSED, Fate.FAULT),
    errors.OverlapError: (Fate.SILENT,),
    errors.UninitializedError: (Fate.SILENT,),
    errors.DeadlockError: (Fate.HANG,),
    errors.HazardError: (Fate.SILENT,),
    errors.UsageError: (Fate.REFUSED,),
    errors.HardwareSpecError: (Fate.REFUSED,),
}
"""The likeliest first."""

HEAD = """\
# Errors

Made by `make docs` from `ascendc/language/codes.py`. Every error names the kernel line, the values and the way out; on
the chip, all that is left of it is often one of these numbers.

"""


def document() -> str:
    """The whole document."""
    return "\n".join([HEAD.rstrip("\n"), "", *_by_code(), "", *_by_error(), ""])


def _by_code() -> Iterator[str]:
    yield "| code | means | look for |"
    yield "|---|---|---|"
    for code, meaning in CODES.items():
        found = [f"`{e.__name__}`" for e, fates in FATES.items() if any(code in fate.codes for fate in fates)]
        yield f"| {code} | {meaning} | {', '.join(found)} |"


def _by_error() -> Iterator[str]:
    yield "| error | is | on the chip | codes |"
    yield "|---|---|---|---|"
    for error, fates in FATES.items():
        codes = dict.fromkeys(code for fate in fates for code in fate.codes)
        about = (inspect.getdoc(error) or "").partition("\n")[0]
        fate = "; or ".join(fate.value for fate in fates)
        yield f"| `{error.__name__}` | {about} | {fate} | {', '.join(map(str, codes)) or '–'} |"


if __name__ == "__main__":
    sys.stdout.write(document())
