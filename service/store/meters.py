"""The instruments of the service, all that /metrics tells but requests, whose two are in `service/run/metrics.py`.

They stand in the lowest room that has something to count, so that every room may. Labels are words of a short list,
never a club, a person or a stream. With several processes counters are added up; a gauge says how it is put together.
"""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

REFUSED: Final = Counter("lurch_requests_refused_total", "Requests refused since too many came", ["of"])

# what is appended
APPENDS: Final = Counter(
    "lurch_appends_total", "Appends that are in a log: the open one of their club, or the closed one", ["log"]
)
WRITTEN: Final = Counter("lurch_events_total", "Events that these appends wrote", ["log"])
GROUPS: Final = Histogram(
    "lurch_append_group_size",
    "How many appends were sent to a log together",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
APPEND_SECONDS: Final = Histogram(
    "lurch_append_seconds",
    "Time from sending a group of appends until it was known what became of each",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
LOST: Final = Counter("lurch_lost_races_total", "Appends that were not taken since another one was faster")
AGAIN: Final = Counter("lurch_decided_again_total", "Commands decided once more on what was in the log by then")

# who reads along
STREAMS: Final = Gauge(
    "lurch_event_streams",
    "Open event streams: of a whole club, of one match or tournament (stream), of a queue of cases",
    ["of"],
    multiprocess_mode="livesum",
)
READS: Final = Counter("lurch_feed_reads_total", "Pages of the log read for event streams")
DRAWINGS: Final = Counter("lurch_feed_drawings_total", "Events and tables drawn for event streams")
LAG: Final = Gauge(
    "lurch_reader_lag_positions",
    "How many positions a reader is behind the open log, in the club where it is furthest behind",
    ["reader"],
    multiprocess_mode="mostrecent",
)

# webhooks
TRIED: Final = Counter("lurch_webhook_attempts_total", "Deliveries tried", ["outcome"])
HOOKS: Final = Gauge(
    "lurch_webhooks",
    "Webhooks that have something to deliver now (due), whose last attempt failed (failing), that are off (disabled)",
    ["state"],
    multiprocess_mode="mostrecent",
)

# copies
LAST_COPY: Final = Gauge(
    "lurch_last_copy_timestamp_seconds",
    "When the last nightly copy was made, 0 before the first",
    multiprocess_mode="max",
)
COPIES: Final = Counter("lurch_copies_total", "Copies taken by this service, and those that failed", ["outcome"])
for _outcome in ("made", "failed"):  # told before there is one: an increase is seen from a count that was there
    COPIES.labels(_outcome)
RECEIVING: Final = Gauge(
    "lurch_receiving_changes",
    "1 while each change is received for a restore to a moment",
    multiprocess_mode="livemax",
)

# what it stands on
CONNECTIONS: Final = Gauge(
    "lurch_pool_connections", "Connections to the database that a pool has", ["pool"], multiprocess_mode="livesum"
)
IDLE: Final = Gauge("lurch_pool_idle", "Connections of a pool that nobody uses", ["pool"], multiprocess_mode="livesum")
WAITING: Final = Gauge(
    "lurch_pool_waiting", "Who waits for a connection of a pool", ["pool"], multiprocess_mode="livesum"
)
TAKEN: Final = Counter("lurch_pool_requests_total", "Connections asked for", ["pool"])
WAITED: Final = Counter("lurch_pool_wait_seconds_total", "Time that was spent waiting for a connection", ["pool"])
UNSERVED: Final = Counter("lurch_pool_errors_total", "Times that no connection could be had", ["pool"])
ANSWERS: Final = Gauge(
    "lurch_database_up", "1 where the database answered the last scrape", multiprocess_mode="mostrecent"
)
BYTES: Final = Gauge("lurch_database_bytes", "Size of the database on its disk", multiprocess_mode="mostrecent")
CLOCK: Final = Gauge("lurch_time_seconds", "The clock of the service", multiprocess_mode="mostrecent")
AHEAD: Final = Gauge(
    "lurch_database_clock_ahead_seconds",
    "How far the clock of the database is ahead of that of the service",
    multiprocess_mode="mostrecent",
)
CERTIFICATE: Final = Gauge(
    "lurch_certificate_ends_timestamp_seconds",
    "When the certificate that the service started with ends, 0 where it serves without one",
    multiprocess_mode="mostrecent",
)
FREE: Final = Gauge(
    "lurch_disk_free_bytes",
    "Free bytes of the disk with the embedded database's files (data), and of that with the copies (copies)",
    ["folder"],
    multiprocess_mode="mostrecent",
)
SIZE: Final = Gauge("lurch_disk_bytes", "Bytes of the same disks", ["folder"], multiprocess_mode="mostrecent")
