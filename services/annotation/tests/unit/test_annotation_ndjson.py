"""JSON lines as they come from the network: numbers, limits, and what never ends."""

import io

import pytest
from dynabench_tasks.json_lines import Limits, read_lines


def read(content: bytes, **limits: int) -> list[tuple[int, object]]:
    """Return number and document, or number and reason, of each line."""
    lines = read_lines(io.BytesIO(content), Limits(**limits))
    return [(line.number, line.document if line.flaw is None else line.flaw.reason) for line in lines]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"1", [(1, 1)]),
        (b"1\n2\n", [(1, 1), (2, 2)]),
        (b"1\r\n\r\n \n2", [(1, 1), (4, 2)]),
        (b"\xef\xbb\xbf1\n", [(1, 1)]),
        (b'1\n"\xff"\n', [(1, 1), (2, "is not UTF-8 at byte 1 of the line")]),
        (b"1\n\xef\xbb\xbf2\n", [(1, 1), (2, None)]),
        (b"NaN\n", [(1, "is not JSON: NaN is not JSON")]),
        (b"{]\n3\n", [(1, None), (2, 3)]),
    ],
)
def test_lines_are_numbered_and_read_one_by_one(content: bytes, lines: list[tuple[int, object]]) -> None:
    found = read(content)
    assert [number for number, _ in found] == [number for number, _ in lines]
    for (_, is_), (_, expected) in zip(found, lines, strict=True):
        assert expected is None or is_ == expected


TOO_LONG = "is longer than 10 bytes"


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"1234567890\n2\n", [(1, 1234567890), (2, 2)]),
        (b"12345678901\n2\n", [(1, TOO_LONG), (2, 2)]),
        (b"x" * 95 + b"\n2\n", [(1, TOO_LONG), (2, 2)]),
        (b"1\n" + b"x" * 95, [(1, 1), (2, TOO_LONG)]),
        (b"x" * 22 + b"\n" + b"y" * 22 + b"\n3", [(1, TOO_LONG), (2, TOO_LONG), (3, 3)]),
    ],
)
def test_a_line_that_is_too_long_is_passed_over(content: bytes, lines: list[tuple[int, object]]) -> None:
    assert read(content, line_bytes=10) == lines


@pytest.mark.parametrize(
    ("content", "limits", "last"),
    [
        (b"1\n2\n3\n4\n", {"lines": 2}, (3, "goes beyond the 2 lines that it may have")),
        (b"1\n\n\n2\n3\n", {"lines": 2}, (5, "goes beyond the 2 lines that it may have")),
        (b"11\n22\n33\n", {"file_bytes": 7}, (3, "goes beyond the 7 bytes that it may have")),
        (
            b"x" * 1_000,
            {"file_bytes": 50, "line_bytes": 10},
            (1, "goes beyond the 50 bytes that it may have"),
        ),
    ],
)
def test_what_goes_beyond_a_limit_ends_the_reading(
    content: bytes, limits: dict[str, int], last: tuple[int, str]
) -> None:
    assert read(content, **limits)[-1] == last


def test_a_line_without_an_end_is_not_read_beyond_the_limit_of_the_file() -> None:
    class Endless(io.BytesIO):
        given = 0

        def readline(self, size: int | None = -1) -> bytes:
            assert size is not None
            self.given += size
            return b"x" * size

    endless = Endless()
    lines = list(read_lines(endless, Limits(file_bytes=1_000, line_bytes=100)))

    assert [line.number for line in lines] == [1]
    assert endless.given < 2_000
