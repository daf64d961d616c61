"""HTTP problems for each refusal."""

from dynabench_common.http.idempotency import ConcurrentReplay, IdempotencyKeyReused
from dynabench_common.problems import ErrorMap, Problem, not_found, refusal, unavailable

from crowd.domain import errors

RETRY_SECONDS = 5


def _terms_refused(error: errors.TermsRefused) -> Problem:
    return Problem(
        422,
        "terms-refused",
        "This term can't be used",
        "{field}: {reason}.",
        field=error.field,
        remedy="{remedy}",
        parameters={"field": error.field, "reason": error.reason, "remedy": error.remedy},
    )


def _platform_silent(error: errors.PlatformSilent) -> Problem:
    return unavailable(
        "platform-silent",
        "The crowd platform does not answer",
        "{platform} did not answer, or asked to wait.",
        RETRY_SECONDS,
        {"platform": error.platform},
    )


def _people_unavailable(_error: errors.PeopleUnavailable) -> Problem:
    return unavailable(
        "people-unavailable",
        "You can't be let in yet",
        "The service that lets people in does not answer. Your place is kept.",
        RETRY_SECONDS,
    )


ERRORS: ErrorMap = {
    errors.CampaignUnknown: lambda _: not_found("campaign", "campaign_id"),
    errors.AssignmentUnknown: lambda _: not_found("assignment", "assignment_id"),
    errors.RoundUnknown: lambda _: not_found("round", "round_id"),
    errors.PlatformUnknown: lambda _: not_found("platform", "platform"),
    errors.PaymentUnknown: lambda _: not_found("payment", "payment_id"),
    errors.TermsRefused: _terms_refused,
    errors.RoundTakesNoWork: refusal(
        409,
        "round-takes-no-work",
        "The round takes no such work",
        "The round is {state}.",
        remedy="Open the round first.",
    ),
    errors.CampaignStateRefused: refusal(
        409,
        "campaign-state",
        "The campaign can't do that now",
        "The campaign is {state} and can't become {wanted}.",
        field="state",
        remedy="Load the campaign again.",
    ),
    errors.LaunchUnderWay: lambda _: unavailable(
        "launch-under-way",
        "The campaign is being launched",
        "Another launch of this campaign has not ended yet.",
        RETRY_SECONDS,
    ),
    errors.ChangeUnderWay: lambda _: unavailable(
        "change-under-way",
        "Somebody else is changing this",
        "Another change of the same campaign or work has not ended yet.",
        RETRY_SECONDS,
    ),
    errors.StudyExists: lambda _: Problem(
        409,
        "study-exists",
        "The platform has the study already",
        "An earlier launch has made the study on the platform, with the present terms.",
        remedy="Launch the campaign, or delete it and draft another.",
    ),
    errors.PlatformRefused: refusal(
        409,
        "platform-refused",
        "The crowd platform refused",
        "{platform} refused: {reason}",
        remedy="Correct what the platform reports, then try again.",
    ),
    errors.PlatformSilent: _platform_silent,
    errors.EntryInvalid: refusal(
        403,
        "entry-invalid",
        "This link does not let you in",
        "The platform's link can't be used: {reason}.",
        field="parameters",
        remedy="Go back to the platform and open the study from there.",
    ),
    errors.WebhookForged: refusal(
        401,
        "webhook-forged",
        "The notice is not from the platform",
        "The notice is refused: {reason}.",
        remedy="Check the webhook secret of the platform.",
    ),
    errors.CampaignFull: lambda _: Problem(
        409,
        "campaign-full",
        "All places are taken",
        "Other people have taken all places of this study.",
        remedy="Return the study on the platform. You lose nothing.",
    ),
    errors.CampaignNotOpen: refusal(
        409,
        "campaign-not-open",
        "The study is not open",
        "The study is {state}.",
        remedy="Return the study on the platform. You lose nothing.",
    ),
    errors.AssignmentEnded: refusal(
        409,
        "assignment-ended",
        "Your work on this study has ended",
        "You have been in this study. Nobody can do a study twice.",
        remedy="Return the study on the platform.",
    ),
    errors.OtherWorkOpen: lambda _: Problem(
        409,
        "other-work-open",
        "You have other paid work here",
        "You work for another study of this round, and people do one at a time.",
        remedy="Hand in or give back the other work, then open this link again.",
    ),
    errors.PersonExcluded: lambda _: Problem(
        403,
        "person-excluded",
        "The owner takes no more work from you",
        "The owner of this task has excluded you from its studies.",
        remedy="Return the study on the platform. To read why and to appeal, open the link of your earlier study.",
    ),
    errors.AppealRefused: lambda _: Problem(
        409,
        "appeal-refused",
        "You can't appeal now",
        "You can appeal once, against an exclusion.",
        remedy="Load the page again.",
    ),
    errors.AssignmentStateRefused: refusal(
        409,
        "assignment-state",
        "The work can't become that now",
        "The work is {state} and can't become {wanted}.",
        field="state",
        remedy="Load the page again.",
    ),
    errors.UnitsMissing: refusal(
        409,
        "units-missing",
        "The work is not complete",
        "You have done {done} of {units}.",
        remedy="Do the rest first, or give the work back.",
    ),
    errors.PeopleUnavailable: _people_unavailable,
    errors.OwedChanged: refusal(
        409,
        "owed-changed",
        "The amount has changed",
        "The amount that is owed has changed since the page was opened.",
        field="total_minor",
        remedy="Look at the new amount, and confirm it.",
    ),
    errors.PaidByPlatform: refusal(
        409,
        "paid-by-platform",
        "The platform settles this payment",
        "{platform} has not answered yet, or still has time to list this payment.",
        field="payment_id",
        remedy="Load the page again later. A screen-out is paid after the person has returned with its code.",
    ),
    errors.PaymentRefused: refusal(
        409,
        "payment-refused",
        "The payment was refused",
        "The payment was refused: {reason}.",
        field="payment_id",
        remedy="Load the page again to see what is still owed.",
    ),
    IdempotencyKeyReused: lambda _: Problem(
        409,
        "idempotency-key-reused",
        "Idempotency-Key reused",
        "This key came with another request before.",
        field="Idempotency-Key",
        remedy="Use a new key for a new request.",
    ),
    ConcurrentReplay: lambda _: Problem(
        409,
        "idempotency-key-in-use",
        "Idempotency-Key in use",
        "Another request with this key was stored at the same moment.",
        field="Idempotency-Key",
        remedy="Send the same request again to get its answer.",
    ),
}
