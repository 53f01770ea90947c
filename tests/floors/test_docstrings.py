"""Docstrings begin with a noun of the field or a verb: few with a question word."""

import ast
import re
from pathlib import Path

from tests.kit.sources import parsed

ROOT = Path(__file__).parents[2]
FLOORS = ("domain", "projections", "service")
LIMIT = 60
QUESTION = re.compile(r"(What|Who|Whether|Where|How|Why)\b(?!-)")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def questions_in(source):
    """Lines of the docstrings that begin with a question word, and their first lines."""
    for node in ast.walk(parsed(source)):
        said = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if said and QUESTION.match(said):
            yield node.body[0].lineno, said.splitlines()[0]


def test_a_question_word_is_found_wherever_a_docstring_may_stand():
    source = '''"""What it is."""

class Rate:
    """How much."""

    async def burst(self):
        """Why, of all things."""

def plain():
    """The number of whatever is wanted."""

def question():
    """Whoever asks."""
'''
    assert list(questions_in(source)) == [(1, "What it is."), (4, "How much."), (7, "Why, of all things.")]


def test_few_docstrings_begin_with_a_question_word():
    found = [
        f"{path.relative_to(ROOT)}:{line} {said}"
        for floor in FLOORS
        for path in sorted((ROOT / floor).rglob("*.py"))
        for line, said in questions_in(path.read_text("utf-8"))
    ]
    assert len(found) < LIMIT, "\n".join([f"{len(found)} docstrings begin with a question word:", *found])
