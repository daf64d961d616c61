"""View of assigned work for owners: a row for each person."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Round, WorkOrder
from dynabench_client.results.validation import VoteCount

from web.kit.assigned_work import OrderView, order_view
from web.kit.language import _
from web.kit.paid_work import VALIDATE
from web.kit.parallel import Part


@dataclass(frozen=True)
class OrderRow:
    """A person's work; `left` is what another person would get."""

    order_id: str
    name: str
    work: str
    round_name: str
    view: OrderView
    left: int
    due_on: str


def order_rows(
    orders: Sequence[WorkOrder], progress: Iterable[Part[VoteCount] | None], rounds: Iterable[Round]
) -> list[OrderRow]:
    """Return the rows in the order of the assignments."""
    numbers = {each.round_id: each.number for each in rounds}
    views = [order_view(*pair) for pair in zip(orders, progress, strict=True)]
    return [
        OrderRow(
            order_id=order.order_id,
            name=order.name,
            work=_("Check texts") if order.activity == VALIDATE else _("Write texts"),
            round_name=_("Round %(number)s", number=numbers.get(order.round_id, "")),
            view=view,
            left=max(1, view.units - view.done - view.gone),
            due_on=order.due_on.isoformat(),
        )
        for order, view in zip(orders, views, strict=True)
    ]
