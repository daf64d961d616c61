"""Refusals as problems; what is not filled in from the exception alone has a function."""

from math import ceil

from dynabench_common.problems import ErrorMap, Problem, not_found, refusal

from accounts.domain import errors
from accounts.mail.domain import LinkEnded

SIGN_IN = {"WWW-Authenticate": 'Bearer realm="dynabench"'}


def _field(error: errors.FieldRefused) -> Problem:
    slug = f"{error.field.replace('_', '-')}-unusable"
    return Problem(
        422,
        slug,
        "Unusable input",
        "{field} {reason}.",
        field=error.field,
        remedy="{remedy}",
        parameters={"field": error.field, "reason": error.reason, "remedy": error.remedy},
    )


def _taken(error: errors.AlreadyTaken) -> Problem:
    return Problem(
        409,
        f"{error.field.replace('_', '-')}-taken",
        "Already taken",
        "Another person has this user name.",
        field=error.field,
        remedy="Choose another user name, or sign in if it is yours.",
    )


def _closed(error: errors.TooManyFailures) -> Problem:
    if error.address is not None:
        return Problem(
            429,
            "sign-in-closed",
            "Too many failed sign-ins",
            "Too many sign-ins failed from {address}. You may share this address, as in a school or an office.",
            remedy="Try again in {minutes} minutes, or ask an administrator to raise the limits of {address}.",
            headers=_retry_after(error),
            parameters={"minutes": _minutes(error), "address": error.address},
        )
    return Problem(
        429,
        "sign-in-closed",
        "Too many failed sign-ins",
        "Sign-in with this user name is blocked from your address for a while.",
        field="user_name",
        remedy="Try again in {minutes} minutes.",
        headers=_retry_after(error),
        parameters={"minutes": _minutes(error)},
    )


def _sign_ups_closed(error: errors.TooManySignUps) -> Problem:
    return Problem(
        429,
        "sign-up-closed",
        "Too many sign-ups",
        "Too many people signed up from {address}. You may share this address, as in a school or an office.",
        remedy="Try again in {minutes} minutes, or ask an administrator to raise the limits of {address}.",
        headers=_retry_after(error),
        parameters={"minutes": _minutes(error), "address": error.address},
    )


def _minutes(error: errors.TooManyTries) -> int:
    return ceil(max(1, error.retry_after.total_seconds()) / 60)


def _retry_after(error: errors.TooManyTries) -> dict[str, str]:
    return {"Retry-After": str(max(1, ceil(error.retry_after.total_seconds())))}


def _password_tries_closed(error: errors.TooManyPasswordTries) -> Problem:
    return Problem(
        429,
        "password-tries-closed",
        "Too many wrong passwords",
        "You entered a wrong present password too often.",
        field="current_password",
        remedy="Try again in {minutes} minutes.",
        headers=_retry_after(error),
        parameters={"minutes": _minutes(error)},
    )


def _resets_closed(error: errors.TooManyResets) -> Problem:
    if error.address is not None:
        return Problem(
            429,
            "mails-closed",
            "Too many mails requested",
            "Too many links were requested from {address}. You may share this address, as in a school or an office.",
            remedy="Try again in {minutes} minutes, or ask an administrator to raise the limits of {address}.",
            headers=_retry_after(error),
            parameters={"minutes": _minutes(error), "address": error.address},
        )
    return Problem(
        429,
        "mails-closed",
        "Too many mails requested",
        "Too many links were requested for this mail address.",
        field="email",
        remedy="Check your mailbox, including spam, or try again in {minutes} minutes.",
        headers=_retry_after(error),
        parameters={"minutes": _minutes(error)},
    )


def _code_needed(error: errors.CodeNeeded) -> Problem:
    return Problem(
        401,
        "second-factor-needed",
        "Code needed",
        "This account has a second factor.",
        field="code",
        remedy="Send a code of the app with the challenge. Programs use an API token.",
        headers=SIGN_IN,
        extra={"challenge": error.challenge},
    )


def _codes_closed(error: errors.TooManyCodes) -> Problem:
    return Problem(
        429,
        "codes-closed",
        "Too many wrong codes",
        "Too many codes of this account were wrong.",
        field="code",
        remedy="Try again in {minutes} minutes.",
        headers=_retry_after(error),
        parameters={"minutes": _minutes(error)},
    )


ERRORS: ErrorMap = {
    errors.FieldRefused: _field,
    errors.AlreadyTaken: _taken,
    errors.NicknameTaken: refusal(
        409,
        "nickname-taken",
        "Already taken",
        "Another person has this nickname, or one that looks like it.",
        field="nickname",
        remedy="Choose another nickname.",
    ),
    errors.NicknameHidden: refusal(
        409,
        "nickname-hidden",
        "Nickname hidden",
        "An administrator hid this nickname: {reason!r}.",
        field="nickname",
        remedy="Choose another nickname.",
    ),
    errors.TaskRequestOpen: refusal(
        409,
        "task-request-open",
        "Asked already",
        "Your last request is not answered yet.",
        remedy="Wait for an administrator's answer. You will get a notice.",
    ),
    errors.TaskOwned: refusal(
        409,
        "task-owned",
        "Already taken",
        "A task has the address {task_slug}, or another person may start one there.",
        field="task_slug",
        remedy="Choose another address.",
    ),
    errors.RequestedTaskOwned: refusal(
        409,
        "task-owned",
        "Already taken",
        "A task has the address {task_slug}, or another person may start one there.",
        field="task_slug",
        remedy="Refuse the request, and ask for another address.",
    ),
    errors.WrongCredentials: refusal(
        401,
        "credentials-wrong",
        "Not signed in",
        "Wrong user name or password.",
        field="password",
        remedy="Check both and try again.",
        headers=SIGN_IN,
    ),
    errors.TooManyFailures: _closed,
    errors.TooManySignUps: _sign_ups_closed,
    errors.SessionEnded: refusal(
        401,
        "session-ended",
        "Not signed in",
        "The session has expired or was signed out.",
        remedy="Sign in again.",
        headers=SIGN_IN,
    ),
    errors.RefreshTokenReused: refusal(
        401,
        "session-revoked",
        "Not signed in",
        "A refresh token was used twice, so the session was ended to be safe.",
        remedy="Sign in again; if this was not you, change your password.",
        headers=SIGN_IN,
    ),
    errors.ApiTokenRefused: refusal(
        401,
        "api-token-refused",
        "Not signed in",
        "The API token is unknown or was revoked.",
        field="api_token",
        remedy="Create a new API token and use that.",
        headers=SIGN_IN,
    ),
    errors.TooManyApiTokens: refusal(
        409,
        "api-tokens-exhausted",
        "Too many API tokens",
        "You have {limit} valid API tokens, the most allowed.",
        remedy="Revoke one that you no longer use.",
    ),
    errors.AccountDisabled: refusal(
        403,
        "account-disabled",
        "Account disabled",
        "An administrator disabled this account: {reason!r}.",
        remedy="Write to the administrators if this is a mistake.",
    ),
    errors.AccountNeeded: refusal(
        403,
        "account-needed",
        "Account needed",
        "You take part in paid work without an account of your own.",
        remedy="Sign up to have an account.",
    ),
    errors.NotOfCampaign: refusal(
        409,
        "person-not-of-campaign",
        "Not a person of a campaign",
        "This person has an account of their own.",
        field="person_id",
        remedy="Give the id of a person whom a campaign admitted.",
    ),
    errors.WrongCurrentPassword: refusal(
        422,
        "current-password-wrong",
        "Wrong password",
        "This is not your present password.",
        field="current_password",
        remedy="Type the password that you sign in with now.",
    ),
    errors.TooManyPasswordTries: _password_tries_closed,
    errors.TooManyResets: _resets_closed,
    errors.CodeNeeded: _code_needed,
    errors.SignInStepEnded: refusal(
        401,
        "sign-in-step-ended",
        "Not signed in",
        "Your password was checked more than ten minutes ago.",
        field="challenge",
        remedy="Sign in again from the start.",
        headers=SIGN_IN,
    ),
    errors.IssuerUnreachable: refusal(
        503,
        "issuer-unreachable",
        "No answer",
        "{issuer} does not answer.",
        remedy="Try again in a minute, or sign in with a password.",
        headers={"Retry-After": "60"},
    ),
    errors.IssuerAnswerRefused: refusal(
        401,
        "issuer-answer-refused",
        "Not signed in",
        "The answer of {issuer} does not count: {reason}.",
        remedy="Sign in again from the start. If this happens again, ask an administrator.",
        headers=SIGN_IN,
    ),
    errors.IssuerNotFound: lambda _error: not_found("issuer", "issuer"),
    errors.IdentityNotFound: lambda _error: not_found("linked issuer", "issuer"),
    errors.IdentityTaken: refusal(
        409,
        "identity-taken",
        "Linked already",
        "Another account here is linked to this person.",
        remedy="Sign in with it, and remove the link there first.",
    ),
    errors.LastWayIn: refusal(
        409,
        "last-way-in",
        "Last way to sign in",
        "Without a password, you could not sign in any more.",
        remedy="Choose a password first.",
    ),
    errors.SignInAgain: refusal(
        403,
        "sign-in-again",
        "Sign in again",
        "Your account has no password, and you signed in more than ten minutes ago.",
        remedy="Sign out and in again, then repeat this.",
    ),
    errors.WrongCode: refusal(
        422,
        "code-wrong",
        "Wrong code",
        "The code is wrong or was used before.",
        field="code",
        remedy="Type the code that the app shows now, or a recovery code that you have not used.",
    ),
    errors.TooManyCodes: _codes_closed,
    errors.SecondFactorOn: refusal(
        409,
        "second-factor-on",
        "Second factor on",
        "This account has a second factor.",
        remedy="Turn it off first to set up another app.",
    ),
    errors.SecondFactorOff: refusal(
        409,
        "second-factor-off",
        "No second factor",
        "This account has no second factor.",
        remedy="Set up an authenticator app first.",
    ),
    errors.SessionNotFound: lambda _error: not_found("session", "session_id"),
    errors.InvitationNotFound: lambda _error: not_found("invitation", "invitation"),
    errors.InvitationWithdrawn: refusal(
        410,
        "invitation-withdrawn",
        "Invitation withdrawn",
        "The owners of the task withdrew this invitation.",
        remedy="Ask them for a new link.",
    ),
    errors.InvitationExpired: refusal(
        410,
        "invitation-expired",
        "Invitation expired",
        "The last day of this invitation has passed.",
        remedy="Ask the owners of the task for a new link.",
    ),
    errors.InvitationUsedUp: refusal(
        410,
        "invitation-used-up",
        "Invitation used up",
        "As many people used this invitation as it allows.",
        remedy="Ask the owners of the task for a new link.",
    ),
    errors.TooManyMembers: refusal(
        409,
        "members-exhausted",
        "Too many",
        "There are {limit} already, the most allowed.",
        remedy="Remove some first, or use a group.",
    ),
    errors.GroupNotFound: lambda _error: not_found("group", "group_id"),
    errors.GroupNameTaken: refusal(
        409,
        "group-name-taken",
        "Already taken",
        "You have another group with the name {name!r}.",
        field="name",
        remedy="Choose another name.",
    ),
    LinkEnded: refusal(
        410,
        "link-ended",
        "The link does not work",
        "The link was used already, has expired, or is incomplete.",
        field="token",
        remedy="Ask for a new link. Only the link in the newest mail works.",
    ),
    errors.OwnAdministration: refusal(
        409,
        "own-administration",
        "Not for your own account",
        "You can't remove your own administrator role or disable your own account.",
        remedy="Ask another administrator to do it.",
    ),
    errors.LastAdministrator: refusal(
        409,
        "last-administrator",
        "Last administrator",
        "{name} is the last administrator who is not disabled.",
        remedy="Make another person administrator first.",
    ),
    errors.PersonNotFound: lambda _error: not_found("person", "person_id"),
    errors.TaskRequestNotFound: lambda _error: not_found("open request", "task_slug"),
    errors.ApiTokenNotFound: lambda _error: not_found("api token", "token_id"),
}
