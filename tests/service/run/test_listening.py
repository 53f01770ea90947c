"""The socket that the service listens on."""

import socket

import pytest

from service.run.server import bind


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_socket_says_that_it_is_tcp_so_that_small_answers_are_sent_at_once(host):
    listener = bind(host, 0)
    with listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken_is_told_with_its_number():
    with (
        bind("127.0.0.1", 0) as first,
        pytest.raises(OSError, match=f"cannot serve on 127.0.0.1:{first.getsockname()[1]}"),
    ):
        bind("127.0.0.1", first.getsockname()[1])
