"""CTN as tokens: tags, words, comments and `!` lines, each with its line and column."""

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

TokenKind: TypeAlias = Literal["tag", "word", "comment", "bang", "blank", "bad"]

_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
_WORD = re.compile(r"[^\s{;]+")


class Token(msgspec.Struct, frozen=True):
    """A token with its text; of a tag the text is the value, and `name` its name."""

    kind: TokenKind
    text: str
    line: int
    column: int
    name: str = ""


class NotationProblem(msgspec.Struct, frozen=True):
    """A token that is not CTN, its place and the reason. The rest of the file is still read."""

    line: int
    column: int
    token: str
    detail: str


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a file in order."""
    at, line, start = 0, 1, 0
    fresh = True
    while at < len(text):
        if fresh:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            whole = text[at:end].strip()
            if not whole or whole[0] in "%!":
                if not whole:
                    yield Token("blank", "", line, 1)
                elif whole[0] == "!":
                    yield Token("bang", _uncommented(whole), line, 1)
                at, line, start = end + 1, line + 1, end + 1
                continue
            fresh = False
        char = text[at]
        if char == "\n":
            at, line, start, fresh = at + 1, line + 1, at + 1, True
        elif char.isspace():
            at += 1
        elif char == ";":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        else:
            token = _token(text, at, line, at - start + 1)
            yield token[0]
            inner = text[at : token[1]]
            line += inner.count("\n")
            start = at + inner.rindex("\n") + 1 if "\n" in inner else start
            at = token[1]


def _token(text: str, at: int, line: int, column: int) -> tuple[Token, int]:
    if text[at] == "{":
        end = text.find("}", at)
        if end < 0:
            stop = text.find("\n", at)
            stop = len(text) if stop < 0 else stop
            return Token("bad", text[at:stop], line, column), stop
        return Token("comment", " ".join(text[at + 1 : end].split()), line, column), end + 1
    tag = _TAG.match(text, at)
    if tag:
        value = re.sub(r"\\(.)", r"\1", tag[2])
        return Token("tag", value, line, column, tag[1]), tag.end()
    word = _WORD.match(text, at)
    assert word is not None
    kind: TokenKind = "bad" if word[0][0] in "[}]" else "word"
    return Token(kind, word[0], line, column), word.end()


def _uncommented(line: str) -> str:
    """A `!` line without its remark; a `;` inside quotes is text."""
    quoted = False
    for at, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == ";" and not quoted:
            return line[:at].rstrip()
    return line


def groups(found: Iterator[Token]) -> Iterator[list[Token]]:
    """The tokens of each match. A blank line before a block with a `Game` tag begins a new one; comments before the
    first match belong to it."""
    group: list[Token] = []
    block: list[Token] = []
    opening = True  # nothing but comments so far
    for token in (*found, Token("blank", "", 0, 0)):
        if token.kind != "blank":
            block.append(token)
            continue
        if block and not opening and any(each.name == "Game" for each in block):
            yield group
            group = []
        opening = (opening or not group) and all(each.kind == "comment" for each in block)
        group += block
        block = []
    if group:
        yield group


def quoted(value: str) -> str:
    """A tag's value with quotes and backslashes escaped."""
    return value.replace("\\", "\\\\").replace('"', '\\"')
