"""Private words beside events that come from elsewhere: texts, and tags in pairs of texts, as their readers expect."""

from domain.log.event import Json, JsonObject


def wrong_words(words: JsonObject) -> str:
    """The member of a private part that holds something else than words; empty where none does."""
    return next((name or "a nameless one" for name, value in words.items() if not _is_plain(name, value)), "")


def _is_plain(name: str, value: Json) -> bool:
    if name == "tags":
        return isinstance(value, list) and all(
            isinstance(pair, list) and len(pair) == 2 and all(map(_is_text, pair)) for pair in value
        )
    return _is_text(name) and (value is None or _is_text(value))


def _is_text(value: Json) -> bool:
    """Tells a text that can be stored."""
    return isinstance(value, str) and "\x00" not in value
