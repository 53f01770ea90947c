"""Texts are found in modules, templates and scripts, and compared with docs/texts.md."""

from tests.texts.document import FILE, differences, read, written
from tests.texts.examples import examples
from tests.texts.said_in_pages import texts_in_script, texts_in_template
from tests.texts.said_in_python import texts_in


def test_the_examples_in_the_document_are_up_to_date():
    listed, said = read(FILE.read_text()), dict(examples())
    assert {title: listed.get(title) for title in said} == said, "`make texts` writes them again"


def test_a_text_that_was_added_or_removed_is_reported():
    texts = {"domain/a.py": ["Round 3 is paired.", "Nobody is left."], "service/web/b.html": ["Undo"]}
    document = written(texts)
    assert differences(document, texts) == []
    more = {**texts, "domain/a.py": [*texts["domain/a.py"], "This is new."]}
    assert differences(document, more) == ["domain/a.py: not in docs/texts.md: This is new."]
    assert differences(document, {**texts, "service/web/new.py": ["a new page"]})
    fewer = {**texts, "domain/a.py": ["Round 3 is paired."]}
    assert differences(document, fewer) == ["domain/a.py: only in docs/texts.md: Nobody is left."]


def test_refusals_and_titles_of_a_module_are_texts_but_docstrings_are_not():
    source = '''
"""A module of its own."""
class Swiss(Format):
    """A format with words."""
    title: ClassVar = "Swiss"
    reach: Annotated[int, option("how far one may challenge")] = 3
def refuse(count):
    assert count, "never said to anybody"
    LOGGER.info("this is only logged")
    told = "first of all" if count else "last of all"
    raise Refusal("misfit", f"{count + 1} of them {'are late' if count else 'came'}: "
                  "begin without them")
QUERY = "select version from events"
'''
    assert texts_in(source) == [
        "Swiss",
        "how far one may challenge",
        "first of all",
        "last of all",
        "‹count + 1› of them ‹'are late' if count else 'came'›: begin without them",
        "are late",
    ]
    assert texts_in('menu = ["Undo", "undo", "R1.1"]', labels=True) == ["Undo"]


def test_visible_and_spoken_words_of_a_template_are_texts():
    source = """{% macro act(text) %}<button title="Do it">{{ text }}</button>{% endmacro %}
<p class="quiet">Table {{ table }}: <bdi>{{ name }}</bdi> waits.</p>{# not shown #}
{% if open %}Still open{% else %}Over{% endif %}{{ act("Take it back") }}<script>let hidden = "not a text";</script>"""
    assert texts_in_template(source) == ["Take it back", "Do it", "Table ‹table›: ‹name› waits.", "Still open", "Over"]


def test_words_of_a_script_are_texts_but_selectors_are_not():
    source = """const a = root.querySelector("[name=seat] option[selected]");
// "a comment in words"
note.textContent = `${waiting} not sent yet`; form.matches("input, select");"""
    assert texts_in_script(source) == ["${waiting} not sent yet"]
