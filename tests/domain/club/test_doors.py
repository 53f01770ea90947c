"""Table codes: derived, readable and distinct for distinct inputs."""

from hypothesis import given
from hypothesis import strategies as st

from domain.club.doors import LENGTH, LETTERS, DoorKey, read_code, read_secret

KEY = DoorKey(bytes(range(32)))
MATCH = "01a1fea4-0000-7000-8000-000000000000"
counters = st.integers(1, 2**31 - 1)


def test_twenty_three_letters_none_of_which_is_a_digit_to_the_eye():
    assert len(set(LETTERS)) == 23
    assert not set("ILO01") & set(LETTERS)


@given(st.uuids(), counters)
def test_a_code_has_six_letters_and_is_read_in_any_spelling(match, counter):
    code = KEY.code(str(match), counter)
    assert len(code) == LENGTH
    assert set(code) <= set(LETTERS)
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:2]}-{code[2:]}"):
        assert read_code(typed) == code


@given(st.uuids(), counters)
def test_a_secret_is_128_bits_and_is_read_back(match, counter):
    secret = KEY.secret(str(match), counter)
    assert len(secret) * 5 >= 128
    assert read_secret(f"#{secret}") == read_secret(secret.upper()) == secret


def test_another_match_counter_or_key_has_another_secret():
    other = DoorKey(bytes(32))
    found = {KEY.secret(MATCH, 1), KEY.secret(MATCH, 2), KEY.secret(MATCH[:-1] + "1", 1), other.secret(MATCH, 1)}
    assert len(found) == 4
    assert len({each.mark("ABCDEF") for each in (KEY, other)}) == 2


@given(st.text(max_size=40))
def test_whatever_is_typed_is_a_code_or_none(text):
    code, secret = read_code(text), read_secret(text)
    assert code is None or (len(code) == LENGTH and set(code) <= set(LETTERS))
    assert secret is None or (len(secret) == 26 and secret.isascii())


def test_a_thousand_tables_rarely_share_a_code():
    assert len({KEY.code(str(number), 1) for number in range(1000)}) >= 999
