"""The file of a copy: read to its last frame or refused, wherever it is cut, changed or put together anew."""

import io

import pytest

from service.copies.frames import END, HEAD, MAGIC, MANIFEST, ROWS, CopyError, FrameWriter, frames

CONTENTS = [(MANIFEST, b"what is in it"), (ROWS, b"row\n" * 500), (ROWS, b"more\n"), (END, b"{}")]
SECRET = "correct horse battery"  # of no copy but these


def written(passphrase=None, contents=CONTENTS):
    file = io.BytesIO()
    writer = FrameWriter(file, passphrase)
    for kind, content in contents:
        writer.put(kind, content)
    return file.getvalue()


def read(data, passphrase=None):
    return [(each.kind, each.content) for each in frames(io.BytesIO(data), passphrase)]


def parts(data):
    """The frames of a file as bytes."""
    found, at = [], len(MAGIC)
    while at < len(data):
        length = HEAD.unpack(data[at : at + HEAD.size])[1] + HEAD.size
        found.append(data[at : at + length])
        at += length
    return found


@pytest.mark.parametrize("passphrase", [None, SECRET])
def test_a_copy_is_read_as_it_was_written(passphrase):
    assert read(written(passphrase), passphrase) == CONTENTS


@pytest.mark.parametrize("passphrase", [None, pytest.param(SECRET, marks=pytest.mark.extended)])
def test_a_copy_that_is_cut_anywhere_is_refused(passphrase):
    data = written(passphrase)
    places = range(len(data)) if passphrase is None else range(0, len(data), 23)  # a key takes its time to make
    for place in places:
        with pytest.raises(CopyError):
            read(data[:place], passphrase)


@pytest.mark.parametrize("passphrase", [None, pytest.param(SECRET, marks=pytest.mark.extended)])
def test_a_copy_in_which_one_bit_was_changed_is_refused(passphrase):
    data = written(passphrase)
    for place in range(0, len(data), 1 if passphrase is None else 23):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(CopyError):
            read(bytes(changed), passphrase)


@pytest.mark.parametrize("passphrase", [None, SECRET])
def test_a_backup_with_missing_or_reordered_frames_is_refused(passphrase):
    whole = parts(written(passphrase))
    swapped = [*whole[:-3], whole[-2], whole[-3], whole[-1]]
    shorter = [*whole[:-2], whole[-1]]
    longer = [*whole, whole[-1]]
    for each in (whole[:-1], swapped, shorter, longer):
        with pytest.raises(CopyError):
            read(MAGIC + b"".join(each), passphrase)


def test_an_encrypted_copy_says_nothing_without_its_passphrase():
    data = written(SECRET)
    assert b"what is in it" not in data
    for wrong in (None, "another one", ""):
        with pytest.raises(CopyError, match="passphrase"):
            read(data, wrong)


def test_a_frame_of_one_copy_fits_into_no_other():
    first, second = parts(written(SECRET)), parts(written(SECRET))
    with pytest.raises(CopyError):
        read(MAGIC + b"".join([*first[:-1], second[-1]]), SECRET)
