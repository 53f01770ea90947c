"""The picture of the rooms in docs/architecture.md is that of the import contracts, and every room stands in it."""

from tests.floors import rooms


def test_the_picture_shows_the_rooms_as_the_contracts_have_them():
    assert rooms.FILE.read_text(encoding="utf-8") == rooms.drawing(), "python -m tests.floors.rooms draws it"


def test_every_room_is_in_it():
    for floor in ("domain", "service"):
        there = {path.stem for path in (rooms.ROOT / floor).iterdir() if path.is_dir() or path.suffix == ".py"}
        said = {
            name
            for floor_, contract in rooms.FLOORS
            if contract and floor_ == floor
            for layer in rooms.layers(contract)
            for name in layer
        }
        assert there - {"__init__", "__main__", "__pycache__"} == said
