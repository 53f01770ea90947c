"""The formatter of templates, stylesheets and scripts finds what is not formatted and keeps what a page shows."""

import re

import jinja2
import pytest

from tests.layout.__main__ import SERVICE, faults, laid_out, ours
from tests.layout.writing import WIDTH, written

SENTENCES = [
    "<p>2{% if a %} : {{ n }}{% endif %}, and <b>{{ n }}</b>.</p>",
    "<p>{% for each in many %}<bdi>{{ each }}</bdi>{% if not loop.last %}, {% endif %}{% endfor %}.</p>",
    "<p>(<a href='/'>one</a>){% if not a %}, two{% else %}; three{% endif %} four</p>",
    "{% macro counted(n) %}<b>{{ n }}</b> deal{{ '' if n == 1 else 's' }}{% endmacro %}<p>{{ counted(n) }}: so</p>",
    "<ul>{% for each in many %}<li>{{ each }}{{ n }}</li>{% endfor %}</ul>",
    "<p>{% if a %}one{% endif %} {% if a %}two{% endif %}{% if a %}, three{% endif %}</p>",
    "<label>{{ n }}<input type='radio' {{ 'checked' if a }}><span> in words </span></label>",
    "<textarea>{% for each in many %}{{ each }}\n{% endfor %}</textarea>",
    "<td{% if a %} class='me'{% endif %}>x</td>",
    "<p>{% set who %}{% if a %}<bdi>{{ n }}</bdi>{% endif %} or <b>{{ n }}</b>{% endset %}({{ who }})</p>",
]


def shown(source, **values):
    """Return what a page shows, without the spaces next to a block."""
    env = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    text = re.sub(r"\s+", " ", env.from_string(source).render(**values))
    text = re.sub(r" ?(</?(p|ul|li|td|label|textarea)\b[^>]*>) ?", r"\1", text)
    return re.sub(r"<\w+[^>]*>", lambda tag: " ".join(tag[0].replace(">", " >").split()), text).strip()


def test_templates_stylesheets_and_scripts_are_checked_but_vendored_files_are_not():
    found = [path.relative_to(SERVICE) for path in ours()]
    assert {path.suffix for path in found} == {".html", ".css", ".js"}
    assert not [path for path in found if "vendor" in path.parts]
    assert len(found) > 50


@pytest.mark.parametrize("kind, line", [(".html", "<p>{}</p>"), (".css", "/* {} */"), (".js", "// {}")])
def test_a_line_that_is_too_long_is_found(kind, line):
    fits = laid_out(kind, line.format("x" * 100))
    assert list(faults(kind, fits)) == []
    long = line.format("x" * (WIDTH + 1))
    assert any("columns" in fault for _, fault in faults(kind, laid_out(kind, long)))


@pytest.mark.parametrize(
    "kind, source",
    [(".html", "<ul><li>one</li><li>two</li></ul>\n"), (".css", "p { color: red }\n"), (".js", "if (a) {b()}\n")],
)
def test_a_missing_layout_is_found_and_one_run_mends_it(kind, source):
    assert any("make format" in fault for _, fault in faults(kind, source))
    mended = laid_out(kind, source)
    assert list(faults(kind, mended)) == []


@pytest.mark.parametrize("source", ["<p>one", "<p><b>one</p></b>", "{% if a %}<p>{% endif %}one</p>"])
def test_a_template_that_is_no_tree_is_refused(source):
    assert any("cannot be formatted" in fault for _, fault in faults(".html", source))


@pytest.mark.parametrize("source", SENTENCES)
@pytest.mark.parametrize("a", [True, False])
def test_another_layout_shows_the_same_to_the_space(source, a):
    values = {"a": a, "n": 1, "many": ["x", "y"]}
    wide = "<div>" + source + "</div>"
    for each in (source, wide):
        text = written(each)
        assert shown(text, **values) == shown(each, **values)
        assert written(text) == text


def test_an_element_stands_on_a_line_of_its_own():
    assert written("<ul><li>one</li><li>two</li></ul>") == "<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n"
