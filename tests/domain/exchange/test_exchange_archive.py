"""Unique names of people in an archive."""

import pytest

from domain.club.state import same_name
from domain.exchange import archive
from domain.exchange.archive import unique_names

MANY = 500


def people(names):
    return {f"{at:05}": name for at, name in enumerate(names)}


def test_people_of_one_name_are_numbered_whatever_its_case():
    given = people(["Ann", "ANN", None, "Ann (2)", " ann ", ""])
    assert list(unique_names(given).values()) == [
        "Ann",
        "ANN (2)",
        "No name (1)",
        "Ann (2) (2)",
        "ann (3)",
        "No name (2)",
    ]


@pytest.mark.parametrize(
    "form", ["Ann", "ann of many cases", None, "a name that is longer than what is kept before its number is, " * 2]
)
def test_what_it_takes_to_name_people_grows_as_their_number(form, monkeypatch):
    asked = []

    def counted(name):
        asked.append(name)
        return same_name(name)

    monkeypatch.setattr(archive, "same_name", counted)
    names = [form and form[: at % 4].upper() + form[at % 4 :][:76] for at in range(MANY)]
    found = unique_names(people(names))
    assert len({same_name(each) for each in found.values()}) == MANY
    assert all(len(each) <= 80 for each in found.values())
    assert len(asked) <= 5 * MANY
