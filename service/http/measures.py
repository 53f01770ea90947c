"""The figures of /metrics: of this process, or of all that serve together, whose folder the environment names."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"  # the library's own name
# a charset is added to every text: one that stands twice cannot be parsed
CONTENT_TYPE: Final = CONTENT_TYPE_LATEST.partition("; charset")[0]


class Processes(Collector):
    """Memory, time and open files of all that serve together, under the names that the library gives them for one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """The sums; a process that ends meanwhile is left out."""
        memory = files = most = 0
        seconds = _ended_seconds()
        for process in self._alive():
            try:
                with process.oneshot():
                    times = process.cpu_times()
                    seconds += times.user + times.system
                    memory += process.memory_info().rss
                    files += process.num_fds()
                    most += process.rlimit(psutil.RLIMIT_NOFILE)[0] if psutil.LINUX else 0
            except psutil.Error:
                continue
        yield GaugeMetricFamily("process_resident_memory_bytes", "Resident memory of all workers", memory)
        yield GaugeMetricFamily("process_open_fds", "Open files and connections of all workers", files)
        yield GaugeMetricFamily("process_max_fds", "Files and connections that all workers may have open", most)
        yield CounterMetricFamily("process_cpu_seconds", "Processor time of all workers", seconds)

    def _alive(self) -> Iterator[psutil.Process]:
        """The processes that have written into the folder, by the number at the end of a file's name."""
        for number in {each.stem.rpartition("_")[2] for each in self.folder.glob("*.db")}:
            try:
                process = psutil.Process(int(number))
                if process.ppid() == os.getppid():  # the number of one that has ended may be a stranger's by now
                    yield process
            except psutil.Error:
                continue


def _ended_seconds() -> float:
    """Processor time of the workers that have ended, which their parent has: without it the sum would fall."""
    try:
        times = psutil.Process(os.getppid()).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.children_user + times.children_system)


def measured() -> bytes:
    """All figures as Prometheus reads them."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)
    registry.register(Processes(Path(folder)))
    return generate_latest(registry)
