"""The bounded cache."""

from gateway.domain.cache import OVERHEAD_BYTES, BoundedCache


def test_the_longest_unused_goes_first() -> None:
    cache: BoundedCache[str] = BoundedCache(max_entries=2, max_bytes=1_000_000)
    cache.put("a", b"1")
    cache.put("b", b"2")
    assert cache.get("a") == b"1"
    cache.put("c", b"3")
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (b"1", None, b"3")


def test_bytes_are_bounded_too() -> None:
    cache: BoundedCache[int] = BoundedCache(max_entries=100, max_bytes=3 * (OVERHEAD_BYTES + 10))
    for key in range(5):
        cache.put(key, b"0123456789")
    assert len(cache) == 3
    assert cache.get(1) is None


def test_replacing_an_entry_counts_it_once() -> None:
    cache: BoundedCache[str] = BoundedCache(max_entries=10, max_bytes=2 * (OVERHEAD_BYTES + 5))
    cache.put("a", b"12345")
    cache.put("a", b"67890")
    cache.put("b", b"12345")
    assert (cache.get("a"), cache.get("b")) == (b"67890", b"12345")


def test_what_is_larger_than_the_whole_cache_is_not_kept() -> None:
    cache: BoundedCache[str] = BoundedCache(max_entries=10, max_bytes=2_000)
    cache.put("large", b"x" * 2_000)
    assert cache.get("large") is None
    cache.put("small", b"x")
    assert (len(cache), cache.get("small")) == (1, b"x")


def test_no_entries_at_all_is_a_choice() -> None:
    cache: BoundedCache[str] = BoundedCache(max_entries=0, max_bytes=1_000)
    cache.put("a", b"1")
    assert cache.get("a") is None
