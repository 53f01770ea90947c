"""A table's code on phones: scan, three taps at most, record; a second phone takes a place, and nothing is lost."""

import pytest
from playwright.sync_api import expect

from tests.kit.service.asking import House
from tests.kit.service.doors import door_of

pytestmark = pytest.mark.browser
