"""Archives on their way here, against a real PostgreSQL and S3: parts, resumption, quotas, names, cancelling."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from dynabench_common.testing import FixedClock
from registry.adapters.archive_objects import ArchiveObjects
from registry.adapters.serving_tables import served_model
from registry.service_layer.cleaning import cancel_old_uploads
from registry.service_layer.dependencies import WorkerDependencies
from registry.service_layer.uploading import SMALLEST_PART_BYTES, part_bytes
from sqlalchemy import Engine, text

from .submissions import Submitter, digest_of, keep_task

NewSubmitter = Callable[..., Submitter]
SMALL = b"archive of a model"


def problem(answer: Any) -> str:
    return str(answer.get_json()["type"]).rsplit("/", 1)[-1]


def test_an_archive_goes_to_the_store_in_parts_and_its_checks_begin(submitter: Submitter) -> None:
    data = bytes(range(256)) * (SMALLEST_PART_BYTES // 256) + b"the rest"
    submission = submitter.begin(data).get_json()["submission"]
    assert submission["upload"] == {
        "size": len(data),
        "digest": digest_of(data),
        "part_bytes": SMALLEST_PART_BYTES,
        "parts": 2,
    }
    submitter.send_parts(submission, data)
    received = submitter.complete(submission).get_json()
    assert (received["state"], received["step"]) == ("checking", "checksum")
    assert [step["state"] for step in received["steps"]][:2] == ["passed", "waiting"]
    assert received["retry_after_seconds"] == 1


def test_what_the_store_has_is_told_so_that_anybody_can_go_on(submitter: Submitter) -> None:
    data = b"x" * (2 * SMALLEST_PART_BYTES + 5)
    submission = submitter.begin(data).get_json()["submission"]
    submitter.send_parts(submission, data, [2])
    again = submitter.begin(data)
    assert again.status_code == 200
    assert again.get_json()["known"]
    assert again.get_json()["submission"]["submission_id"] == submission["submission_id"]
    held = submitter.get(f"/submissions/{submission['submission_id']}/upload").get_json()
    assert [(part["number"], part["size"]) for part in held["held"]] == [(2, SMALLEST_PART_BYTES)]
    refused = submitter.complete(submission)
    assert (refused.status_code, problem(refused)) == (409, "parts-missing")
    assert refused.get_json()["missing"] == [1, 3]
    submitter.send_parts(submission, data, [1, 3])
    assert submitter.complete(submission).get_json()["state"] == "checking"


def test_a_part_of_another_size_is_missing(submitter: Submitter) -> None:
    submission = submitter.begin(SMALL).get_json()["submission"]
    submitter.send_parts({**submission, "upload": {**submission["upload"]}}, SMALL[:-1])
    assert problem(submitter.complete(submission)) == "parts-missing"


def test_completing_twice_changes_nothing(submitter: Submitter, engine: Engine) -> None:
    received = submitter.submit(SMALL)
    again = submitter.complete(received)
    assert again.get_json()["received_at"] == received["received_at"]
    with engine.connect() as connection:
        sent = connection.execute(text("SELECT count(*) FROM outbox WHERE type LIKE '%ModelSubmitted'"))
        assert sent.scalar_one() == 1


def test_the_same_bytes_are_recognised_at_once(submitter: Submitter) -> None:
    first = submitter.submit(SMALL)
    again = submitter.begin(SMALL, model="other-name").get_json()
    assert again["known"]
    assert again["submission"]["submission_id"] == first["submission_id"]
    assert again["submission"]["model"] == "tiny"


def test_the_same_wish_many_times_at_once_is_one_submission(submitter: Submitter) -> None:
    with ThreadPoolExecutor(6) as threads:
        answers = [each.result() for each in [threads.submit(submitter.begin, SMALL) for _ in range(6)]]
    assert sorted(each.status_code for each in answers) == [200] * 5 + [201]
    assert len({each.get_json()["submission"]["submission_id"] for each in answers}) == 1


def test_another_file_under_the_same_name_is_the_next_version(submitter: Submitter) -> None:
    assert submitter.submit(SMALL)["version"] == 1
    assert submitter.submit(SMALL + b"!")["version"] == 2


def test_a_name_belongs_to_who_used_it_first(submitter: Submitter, new_submitter: NewSubmitter) -> None:
    submitter.submit(SMALL)
    other = new_submitter().begin(b"theirs")
    assert (other.status_code, problem(other)) == (409, "model-name-taken")


def test_a_name_is_free_again_where_no_archive_ever_arrived(
    submitter: Submitter, new_submitter: NewSubmitter
) -> None:
    begun = submitter.begin(SMALL).get_json()["submission"]
    other = new_submitter()
    assert other.begin(b"theirs").status_code == 409
    submitter.post(f"/submissions/{begun['submission_id']}/cancellation")
    theirs = other.begin(b"theirs")
    assert (theirs.status_code, theirs.get_json()["submission"]["version"]) == (201, 2)
    assert submitter.begin(SMALL).status_code == 409


def test_a_name_is_not_free_where_an_archive_arrived(
    submitter: Submitter, new_submitter: NewSubmitter
) -> None:
    sent = submitter.submit(SMALL)
    submitter.post(f"/submissions/{sent['submission_id']}/cancellation")
    assert new_submitter().begin(b"theirs").status_code == 409


def test_names_of_models_that_the_installation_brings_are_taken(submitter: Submitter, engine: Engine) -> None:
    row = {"pool": "shared", "declaration": {}, "archive": {}, "wanted": True}
    with engine.begin() as connection:
        connection.execute(served_model.insert().values(name="shipped", origin="file", **row))
    refused = submitter.begin(SMALL, model="shipped")
    assert (refused.status_code, problem(refused)) == (409, "model-name-taken")


def test_everybodys_submissions_are_for_owners_of_the_task_and_administrators(
    submitter: Submitter, owner: Submitter, new_submitter: NewSubmitter
) -> None:
    submitter.begin(SMALL)

    def listed(who: Submitter, query: str) -> int:
        answer = who.get(f"/submissions?{query}")
        return len(answer.get_json()["items"]) if answer.status_code == 200 else answer.status_code

    of_task, of_all = "mine=false&task=sentiment", "mine=false"
    assert (listed(submitter, ""), listed(new_submitter(), "")) == (1, 0)
    assert (listed(submitter, of_task), listed(owner, of_task)) == (403, 1)
    assert (listed(owner, of_all), listed(new_submitter("admin"), of_all)) == (403, 1)


def test_a_draft_of_another_task_is_not_gone_on_with(submitter: Submitter, engine: Engine) -> None:
    keep_task(engine, "reviews")
    submitter.begin(SMALL)
    other = submitter.begin(SMALL, task="reviews")
    assert (other.status_code, problem(other)) == (409, "model-name-taken")


@pytest.mark.parametrize("name", ["../x", "Tiny", "a b", "-a", "a-", "a" * 60, "ａ", "a.b", "a/b", ""])
def test_a_name_that_is_a_path_or_a_trick_is_refused(submitter: Submitter, name: str) -> None:
    refused = submitter.begin(SMALL, model=name)
    assert refused.status_code == 422
    assert refused.get_json()["field"] == "model"


def test_sizes_are_refused_with_what_to_do(submitter: Submitter) -> None:
    empty = submitter.begin(b"")
    assert (empty.status_code, problem(empty)) == (422, "archive-empty")
    large = submitter.begin(SMALL, size=10**11)
    assert (large.status_code, problem(large)) == (422, "archive-too-large")
    assert "10000000000" in large.get_json()["detail"]


def test_an_unknown_task_is_named(submitter: Submitter) -> None:
    refused = submitter.begin(SMALL, task="nowhere")
    assert (refused.status_code, refused.get_json()["field"]) == (404, "task")


def test_the_quota_counts_what_is_checked_and_frees_what_is_cancelled(
    submitter: Submitter, new_submitter: NewSubmitter
) -> None:
    sent = [submitter.submit(SMALL + bytes([n]), model=f"m{n}") for n in range(3)]
    refused = submitter.begin(b"one too many", model="late")
    assert (refused.status_code, problem(refused)) == (429, "quota-used")
    assert int(refused.headers["Retry-After"]) > 0
    quota = submitter.get("/submissions?task=sentiment").get_json()["quota"]
    assert (quota["used"], quota["of"]) == (3, 3)
    new_submitter().submit(b"another person's", model="theirs")
    cancelled = submitter.post(f"/submissions/{sent[0]['submission_id']}/cancellation")
    assert cancelled.get_json()["state"] == "cancelled"
    assert not cancelled.get_json()["counted"]
    submitter.submit(b"now there is room", model="late")


def test_drafts_begun_in_advance_do_not_get_round_the_quota(submitter: Submitter) -> None:
    begun = []
    for n in range(4):
        data = SMALL + bytes([n])
        begun.append((submitter.begin(data, model=f"m{n}").get_json()["submission"], data))
    for submission, data in begun:
        submitter.send_parts(submission, data)
    answers = [submitter.complete(submission) for submission, _ in begun]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_nobody_collects_unfinished_uploads_without_end(submitter: Submitter) -> None:
    codes = [submitter.begin(bytes([n]), model=f"m{n}").status_code for n in range(21)]
    assert codes == [201] * 20 + [409]


def test_others_see_nothing_of_a_submission(
    submitter: Submitter, new_submitter: NewSubmitter, owner: Submitter
) -> None:
    submission = submitter.begin(SMALL).get_json()["submission"]
    path = f"/submissions/{submission['submission_id']}"
    stranger = new_submitter()
    answers = [
        stranger.get(path),
        stranger.get(f"{path}/upload"),
        stranger.get(f"{path}/log"),
        stranger.get(f"{path}/entries/text?path=a"),
        stranger.post(f"{path}/upload/parts", {"numbers": [1]}),
        stranger.post(f"{path}/upload/completion"),
        stranger.post(f"{path}/cancellation"),
        stranger.post(f"{path}/steps/scanned/runs"),
        stranger.put(f"{path}/card", {}),
        stranger.post(f"{path}/publication", {}),
        owner.post(f"{path}/upload/parts", {"numbers": [1]}),
        owner.post(f"{path}/cancellation"),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert owner.get(path).status_code == 200


def test_parts_that_do_not_exist_are_not_signed(submitter: Submitter) -> None:
    submission = submitter.begin(SMALL).get_json()["submission"]
    path = f"/submissions/{submission['submission_id']}/upload/parts"
    refused = submitter.post(path, {"numbers": [2]})
    assert (refused.status_code, problem(refused)) == (422, "part-unknown")
    submitter.post(f"/submissions/{submission['submission_id']}/cancellation")
    late = submitter.post(path, {"numbers": [1]})
    assert (late.status_code, problem(late)) == (409, "submission-state")


def test_an_upload_that_nobody_ends_is_removed_with_its_parts(
    submitter: Submitter,
    app: WorkerDependencies,
    engine: Engine,
    clock: FixedClock,
    objects: ArchiveObjects,
) -> None:
    submission = submitter.begin(SMALL).get_json()["submission"]
    submitter.send_parts(submission, SMALL)
    clock.move(2 * 86_400)
    assert cancel_old_uploads(app) == 0
    clock.move(2 * 86_400)
    assert cancel_old_uploads(app) == 1
    key = f"submissions/{submission['submission_id']}.mar"
    with engine.connect() as connection:
        upload_id = connection.execute(text("SELECT upload_id FROM submission")).scalar_one()
    assert objects.held(key, upload_id) is None
    assert submitter.get(f"/submissions/{submission['submission_id']}").get_json()["state"] == "cancelled"


def test_parts_are_few_enough_for_any_store_and_whole_mebibytes() -> None:
    for size in (1, SMALLEST_PART_BYTES + 1, 10**10, 10**11, 10**13):
        assert part_bytes(size) % (1024 * 1024) == 0
        assert -(-size // part_bytes(size)) <= 9_000


def test_a_submission_that_did_not_change_is_not_sent_again(submitter: Submitter) -> None:
    submission = submitter.begin(SMALL).get_json()["submission"]
    path = f"/submissions/{submission['submission_id']}"
    first = submitter.get(path)
    assert submitter.get(path, **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    submitter.post(f"{path}/cancellation")
    assert submitter.get(path, **{"If-None-Match": first.headers["ETag"]}).status_code == 200
