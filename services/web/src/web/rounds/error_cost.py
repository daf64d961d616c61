"""Cost of a round's confirmed errors, where people were paid for them."""

from dynabench_client.results.crowd import ErrorCost

from web.kit.dependencies import dependencies, platform
from web.kit.language import ngettext
from web.kit.money import money
from web.kit.numbers import count
from web.kit.parallel import Part, page_reads

WITHIN_SECONDS = 2.0


def begin_error_cost(round_id: str) -> Part[tuple[ErrorCost, ...]] | None:
    """Start reading what errors cost; None on a platform without paid work."""
    if not dependencies().settings.crowd_url:
        return None
    return page_reads().read(platform().crowd.error_cost, round_id)


def error_cost_words(reading: Part[tuple[ErrorCost, ...]] | None) -> list[str]:
    """Return a sentence for each currency; none without a confirmed error, or if the cost can't be read."""
    found = reading.value(WITHIN_SECONDS) if reading else None
    return [
        ngettext(
            "%(cost)s for each confirmed error (%(shown)s\u00a0paid error)",
            "%(cost)s for each confirmed error (%(shown)s\u00a0paid errors)",
            each.validated_errors,
            cost=money(each.per_error_minor, each.currency),
            shown=count(each.validated_errors),
        )
        for each in found or ()
        if each.per_error_minor is not None
    ]
