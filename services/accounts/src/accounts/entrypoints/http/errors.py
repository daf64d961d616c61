"""How each refusal reads over HTTP."""

from math import ceil

from dynabench_common.problems import ErrorMap, Problem, not_found

from accounts.domain import errors

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


def _wrong_credentials(_error: errors.WrongCredentials) -> Problem:
    return Problem(
        401,
        "credentials-wrong",
        "Not signed in",
        "User name and password do not belong together.",
        field="password",
        remedy="Check both and send again.",
        headers=SIGN_IN,
    )


def _closed(error: errors.TooManyFailures) -> Problem:
    seconds = max(1, ceil(error.retry_after.total_seconds()))
    return Problem(
        429,
        "sign-in-closed",
        "Too many failed sign-ins",
        "Sign-in from your address, or under this user name from it, is closed for a while.",
        field="user_name",
        remedy="Try again in {minutes} minutes.",
        headers={"Retry-After": str(seconds)},
        parameters={"minutes": ceil(seconds / 60)},
    )


def _sign_ups_closed(error: errors.TooManySignUps) -> Problem:
    seconds = max(1, ceil(error.retry_after.total_seconds()))
    return Problem(
        429,
        "sign-up-closed",
        "Too many sign-ups",
        "Signing up from your address is closed for a while.",
        remedy="Try again in {minutes} minutes.",
        headers={"Retry-After": str(seconds)},
        parameters={"minutes": ceil(seconds / 60)},
    )


def _session_ended(_error: errors.SessionEnded) -> Problem:
    return Problem(
        401,
        "session-ended",
        "Not signed in",
        "The session has expired or was signed out.",
        remedy="Sign in again.",
        headers=SIGN_IN,
    )


def _reused(_error: errors.RefreshTokenReused) -> Problem:
    return Problem(
        401,
        "session-revoked",
        "Not signed in",
        "A refresh token was used twice, so the session was ended to be safe.",
        remedy="Sign in again; if this was not you, change your password.",
        headers=SIGN_IN,
    )


def _api_token(_error: errors.ApiTokenRefused) -> Problem:
    return Problem(
        401,
        "api-token-refused",
        "Not signed in",
        "The API token is unknown or was revoked.",
        field="api_token",
        remedy="Create a new API token and use that.",
        headers=SIGN_IN,
    )


def _too_many_tokens(error: errors.TooManyApiTokens) -> Problem:
    return Problem(
        409,
        "api-tokens-exhausted",
        "Too many API tokens",
        "You hold {limit} live API tokens, which is the most.",
        remedy="Revoke one that is not used any more.",
        parameters={"limit": error.limit},
    )


ERROR_MAP: ErrorMap = {
    errors.FieldRefused: _field,
    errors.AlreadyTaken: _taken,
    errors.WrongCredentials: _wrong_credentials,
    errors.TooManyFailures: _closed,
    errors.TooManySignUps: _sign_ups_closed,
    errors.SessionEnded: _session_ended,
    errors.RefreshTokenReused: _reused,
    errors.ApiTokenRefused: _api_token,
    errors.TooManyApiTokens: _too_many_tokens,
    errors.PersonNotFound: lambda _error: not_found("person", "person_id"),
    errors.ApiTokenNotFound: lambda _error: not_found("api token", "token_id"),
}
