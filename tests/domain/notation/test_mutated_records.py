"""Random mutations of records: no traceback, and no wrong score without a finding. `make fuzz` tries more."""

import io
import os
import sys
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.cli import main
from tests.kit.notation.mutation_oracle import judge
from tests.kit.notation.mutation_run import KINDS, record, run
from tests.kit.notation.mutation_sources import sources
from tests.kit.notation.mutations import mutated

OF_EACH = 100
PARTS = [0, *(pytest.param(part, marks=pytest.mark.extended) for part in range(1, 10))]
BY_PLAN = settings(
    max_examples=120,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("kind", KINDS)
def test_unmutated_records_give_neither_errors_nor_remarks(kind):
    for text in getattr(sources(), kind):
        silent, told, errors = judge(text.encode(), kind)
        assert (silent + told > 0, errors) == (True, 0), text


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_mutated_record_is_scored_correctly_or_reported(kind, part):
    answered, failed = run(kind, range(part * OF_EACH, (part + 1) * OF_EACH))
    assert failed == {}
    assert answered["silent"] > 0
    assert answered["records with an error"] > OF_EACH / 3


@pytest.mark.extended
@BY_PLAN
@given(chance=st.randoms(use_true_random=False))
def test_mutated_notation_is_scored_correctly_or_reported(chance):
    judge(mutated(sources().ctn, "ctn", chance), "ctn")


@pytest.mark.extended
@BY_PLAN
@given(chance=st.randoms(use_true_random=False))
def test_mutated_histories_are_scored_correctly_or_reported(chance):
    judge(mutated(sources().jsonl, "jsonl", chance), "jsonl")


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_the_command_answers_every_mutated_file(kind, as_json, tmp_path):
    for seed in range(5000, 5040):
        path = tmp_path / f"{seed}.{kind}"
        path.write_bytes(record(kind, seed))
        status, out, error = scored(path, as_json)
        assert status in (0, 1, 3), (seed, error)
        assert error.count("\n") == (status == 3), (seed, error)
        assert status != 1 or out


def scored(path, as_json):
    """Run `lurch score` in this process; return its exit status, output and errors."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    arguments = ["lurch", "score", *(["--json"] if as_json else []), str(path)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    with (
        mock.patch.dict(os.environ, clean, clear=True),
        mock.patch.multiple(sys, argv=arguments, stdout=streams[0], stderr=streams[1]),
        pytest.raises(SystemExit) as end,
    ):
        main()
    out, error = (stream.detach().getvalue().decode() for stream in streams if stream.flush() is None)
    return end.value.code, out, error
