"""docs/texts.md holds every text; a new one that is not in it is told by name."""

from tests.texts.document import FILE, differences, gathered, read, written
from tests.texts.examples import examples
from tests.texts.said_in_pages import texts_in_script, texts_in_template
from tests.texts.said_in_python import texts_in


def test_every_text_is_listed_and_nothing_else():
    assert not differences(FILE.read_text(), gathered()), "`make texts` writes docs/texts.md again"


def test_the_examples_are_what_is_said_now():
    listed, said = read(FILE.read_text()), dict(examples())
    assert {title: listed.get(title) for title in said} == said, "`make texts` writes them again"


def test_a_text_that_is_added_or_gone_is_named():
    texts = gathered()
    document = written(texts)
    assert differences(document, texts) == []
    name = "domain/tournament/decide/rounds.py"
    more = {**texts, name: [*texts[name], "somebody is quite new here"]}
    assert differences(document, more) == [f"{name}: not in docs/texts.md: somebody is quite new here"]
    assert differences(document, {**texts, "service/web/new.py": ["a new page"]})
    assert differences(document, {**texts, name: texts[name][1:]}) == [
        f"{name}: only in docs/texts.md: {texts[name][0]}"
    ]


def test_of_a_module_refusals_composed_texts_and_titles_are_texts_and_docstrings_are_not():
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


def test_of_a_template_what_is_read_or_read_out_is_a_text():
    source = """{% macro act(text) %}<button title="Do it">{{ text }}</button>{% endmacro %}
<p class="quiet">Table {{ table }}: <bdi>{{ name }}</bdi> waits.</p>{# not shown #}
{% if open %}Still open{% else %}Over{% endif %}{{ act("Take it back") }}<script>let hidden = "not a text";</script>"""
    assert texts_in_template(source) == ["Take it back", "Do it", "Table ‹table›: ‹name› waits.", "Still open", "Over"]


def test_of_a_script_words_are_texts_and_selectors_are_not():
    source = """const a = root.querySelector("[name=seat] option[selected]");
// "a comment in words"
note.textContent = `${waiting} not sent yet`; form.matches("input, select");"""
    assert texts_in_script(source) == ["${waiting} not sent yet"]
