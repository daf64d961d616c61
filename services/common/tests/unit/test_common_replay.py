"""The interval between progress reports of a rebuild."""

from dynabench_common.events.replay import now_and_then


def test_progress_reports_are_throttled() -> None:
    reports: list[tuple[int, int]] = []
    seconds = iter([0.0, 1.0, 6.0, 6.5, 12.0])
    tell = now_and_then(lambda read, total: reports.append((read, total)), 5.0, clock=lambda: next(seconds))
    for read in range(1, 5):
        tell(read, 10)
    assert reports == [(2, 10), (4, 10)]
