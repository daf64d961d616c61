"""The figure of docs/extend/figure.md on its page. `test_architecture_figure.py` runs this with the edits."""

from dynabench_api.leaderboard import FiguresAnswer
from leaderboard.domain.rates import NO_AUTHORS, figures
from leaderboard.domain.tally import Tally
from leaderboard.entrypoints.http.round_answers import figures_fields
from web_fake_platform import FakePlatform
from web_visiting import Visitor


def test_the_figure_goes_from_its_formula_to_the_page(visitor: Visitor, fake: FakePlatform) -> None:
    total = Tally(tries=9, decided=8, fooled=2, not_fooled=4, retracted=2, undecided=1)
    answer = FiguresAnswer(**figures_fields(figures(total, NO_AUTHORS))).model_dump(mode="json")
    assert answer["retraction"]["value"] == 0.25
    segments = fake.figures["segments"]
    of_targets = [target for segment in segments for target in segment["targets"]]
    for each in (fake.figures, *segments, *fake.figures["targets"], *of_targets):
        each["retraction"] = answer["retraction"]
    page = visitor.get(f"/rounds/{fake.loop.round_id}/figures").text
    assert "<dt>Taken back</dt><dd>25.0\u00a0%" in page
