"""Fill the documents: ``python docs/examples/run.py``.

In README.md and docs/*.md, a Python block under a comment ``<!-- my_op.py -->`` is that example, or the functions of
it that the comment goes on to name; a console block is commands, with what they print when run beside the examples.
Both are written here and nowhere else.  The picture ``docs/images/NAME.png`` is from the report that a command leaves
in ``out/NAME``.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EXAMPLES = Path(__file__).parent
ROOT = EXAMPLES.parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted(EXAMPLES.parent.glob("*.md"))]

EXCERPT = re.compile(r"(<!-- (\S+\.py)((?: \w+)*) -->\n```python\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"images/(\w+)\.png")
COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)

SHELL = """
ascendc() { "$PYTHON" -c 'import sys; from ascendc.cli import main; sys.exit(main())' "$@"; }
python() { "$PYTHON" "$@"; }
"""
"""The two commands a reader has, whether or not the package is installed."""


@contextmanager
def desk() -> Iterator[Path]:
    """A directory of its own with the examples in it, as a reader has who copied them."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(EXAMPLES, name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("out", "__pycache__"))
        yield Path(name)


def filled(text: str, directory: Path) -> str:
    """A document with its excerpts and consoles as they have to be."""
    text = EXCERPT.sub(lambda m: m[1] + excerpt(m[2], m[3].split()), text)
    return CONSOLE.sub(lambda m: "".join(answer(c, directory) for c in COMMAND.findall(m[0])), text)


def excerpt(file: str, names: list[str]) -> str:
    """An example, or some of its functions."""
    text = (EXAMPLES / file).read_text(encoding="utf-8")
    if not names:
        return text
    functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    return "\n\n".join(_lines(text, functions[name]) for name in names)


def answer(command: str, directory: Path) -> str:
    """``command`` and all it prints on an 80-column terminal."""
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{SHELL}\n{command}"],
        cwd=directory,
        env=os.environ | {"PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        check=False,
    )
    output = done.stdout.decode()
    return f"$ {command}\n{output}{'' if output.endswith(chr(10)) or not output else chr(10)}"


def _lines(text: str, node: ast.FunctionDef) -> str:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return "".join(text.splitlines(keepends=True)[first - 1 : node.end_lineno])


def main() -> None:
    for document in DOCUMENTS:
        with desk() as directory:
            text = filled(document.read_text(encoding="utf-8"), directory)
            document.write_text(text, encoding="utf-8")
            for picture in PICTURE.findall(text):
                shutil.copy(directory / "out" / picture / "timeline.png", EXAMPLES.parent / "images" / f"{picture}.png")


if __name__ == "__main__":
    main()
