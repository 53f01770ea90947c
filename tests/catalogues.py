"""Writes the catalogues of languages: `python -m tests.catalogues` gathers every text into service/languages/lurch.pot
and brings ro.po and fi.po in step with it; what was translated is kept. `--check` writes nothing and fails where they
are out of step. `--take FILE.json` writes what translators brought: [{"id": "...", "plural": "...", "ctx": "...",
"ro": "..." or [forms], "fi": ...}]."""

import argparse
import json
import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from service.languages.known import HERE, LANGUAGES
from tests.kit.languages.gathering import gathered

TEMPLATE = HERE / "lurch.pot"
TRANSLATED = {code: each.catalogue for code, each in LANGUAGES.items() if each.catalogue is not None}


def read(path: Path, code: str) -> Catalog:
    """A catalogue; what is in no text any more counts as translated, since its text may come back."""
    if not path.exists():
        return Catalog(locale=code)
    with path.open("rb") as file:
        found = read_po(file, locale=code)
    for each in found.obsolete.values():
        found[each.id] = each
    return found


def in_step(path: Path, code: str, template: Catalog, taken=()) -> str:
    """The text of a catalogue that is in step with all texts."""
    catalogue = read(path, code)
    for each in taken:
        if each.get(code):
            put(catalogue, each, each[code])
    catalogue.update(template, no_fuzzy_matching=True, update_header_comment=False)
    catalogue.obsolete = {key: each for key, each in catalogue.obsolete.items() if translated(each)}
    return written(catalogue)


def translated(message: Message) -> bool:
    """Tells a message with all its forms, and none that is only guessed."""
    forms = [message.string] if isinstance(message.string, str) else message.string
    return not message.fuzzy and all(forms)


def put(catalogue: Catalog, each: dict, said: str | list[str]) -> None:
    """Write a translation down, whether its text is known or not."""
    many = each.get("plural")
    if (many is None) != isinstance(said, str):
        raise SystemExit(f"{each['id']!r}: {'one text' if many is None else 'a list of forms'} is wanted, not {said!r}")
    if many is not None and len(said) != catalogue.num_plurals:
        raise SystemExit(f"{each['id']!r}: {catalogue.num_plurals} forms are wanted, not {len(said)}")
    id_ = each["id"] if many is None else (each["id"], many)
    known = catalogue.get(each["id"], each.get("ctx"))
    if known is not None and known.pluralizable == (many is not None):
        known.string = said if many is None else tuple(said)
        known.flags.discard("fuzzy")
    else:
        catalogue.add(id_, said if many is None else tuple(said), context=each.get("ctx"))


def written(catalogue: Catalog) -> str:
    """A catalogue as text, in the order of its messages."""
    made = BytesIO()
    write_po(made, catalogue, width=120, omit_header=True, sort_output=True, include_lineno=False)
    return header(catalogue) + made.getvalue().decode()


def header(catalogue: Catalog) -> str:
    """What programs ask of a catalogue: no dates."""
    own = [f"Language: {catalogue.locale_identifier}", f"Plural-Forms: {catalogue.plural_forms}"]
    lines = [*(own if catalogue.locale else ()), "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"]
    lines += ["Content-Transfer-Encoding: 8bit"]
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{each}\\n"\n' for each in lines) + "\n"


def wanted(taken=()) -> dict[Path, str]:
    """The text that each file should have."""
    template = gathered()
    texts = {path: in_step(path, code, template, taken) for code, path in TRANSLATED.items()}
    return {TEMPLATE: written(template), **texts}


def stale() -> list[str]:
    """The files that are out of step."""
    return [path.name for path, text in wanted().items() if not path.exists() or path.read_text("utf-8") != text]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    asked.add_argument("--take", type=Path, nargs="*", default=[])
    given = asked.parse_args()
    if given.check:
        sys.exit(f"out of step: {', '.join(found)}; run make catalogues" if (found := stale()) else 0)
    taken = [each for path in given.take for each in json.loads(path.read_text("utf-8"))]
    ids = {ident(each) for each in gathered() if each.id}
    for path, text in wanted(taken).items():
        path.write_text(text, "utf-8")
    for each in taken:
        if (each["id"], each.get("ctx")) not in ids:
            sys.stdout.write(f"no text says this now, kept for when one does: {each['id']!r}" + "\n")
    for code, path in TRANSLATED.items():
        texts = [each for each in read(path, code) if each.id and ident(each) in ids]
        done = sum(map(translated, texts))
        sys.stdout.write(f"{code}: {done} of {len(ids)} texts are translated" + "\n")


def ident(message: Message) -> tuple[str, str | None]:
    """What a message is found by."""
    return (message.id if isinstance(message.id, str) else message.id[0], message.context)


if __name__ == "__main__":
    main()
