"""Turn an error into an HTTP status, here only: RFC 9457 problems."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType, to_builtins

from fairgate import errors

STATUS: Mapping[type[errors.FairgateError], int] = {
    errors.MalformedInputError: 400,
    errors.BodyTooLargeError: 413,
    errors.UnauthenticatedError: 401,
    errors.SignInEndedError: 401,
    errors.SignInRefusedError: 401,
    errors.WaitingTokenEndedError: 401,
    errors.LinkEndedError: 401,
    errors.NotAdmittedError: 403,
    errors.LockedOutError: 403,
    errors.ForbiddenError: 403,
    errors.NotEligibleError: 403,
    errors.NotFoundError: 404,
    errors.MethodNotAllowedError: 405,
    errors.SeatsTakenError: 409,
    errors.SingleSeatError: 409,
    errors.NoSeatsFoundError: 409,
    errors.WrongStateError: 409,
    errors.VersionConflictError: 409,
    errors.PreconditionFailedError: 412,
    errors.TokenRedeemedError: 409,
    errors.HoldExpiredError: 410,
    errors.SessionExpiredError: 410,
    errors.SaleOverError: 410,
    errors.IdempotencyMismatchError: 422,
    errors.LimitExceededError: 422,
    errors.TooEarlyError: 429,
    errors.TooManyRequestsError: 429,
    errors.PaymentWaitsError: 429,
    errors.PaymentRefusedError: 409,
    errors.DependencyUnavailableError: 503,
    errors.IdentityUnavailableError: 503,
}
RETRY_AFTER_DEFAULT_S = 5


class Problem(Struct, frozen=True):
    """The fields of every problem; an error's own fields follow."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str
    retry_after: int | UnsetType = UNSET  # seconds


def status_of(kind: type[errors.FairgateError]) -> int:
    """Return the status of an error's class, or of the class whose code it shares."""
    return next(STATUS[one] for one in kind.__mro__ if one in STATUS)


def problem(
    error: errors.FairgateError, request_id: str, languages: str = ""
) -> tuple[int, dict[str, str], str]:
    """Return status, headers and body of an expected failure.

    Args:
        languages: the request's Accept-Language, for the title; "": English.

    Source: RFC 9457, section 3.1.3: a title changes with the language alone.
    """
    status = status_of(type(error))
    headers = dict(_HEADERS)
    retry_after_s = error.retry_after_s
    if retry_after_s is None and status in (429, 503):
        retry_after_s = RETRY_AFTER_DEFAULT_S
    fields = dict(error.fields)
    if retry_after_s is not None:
        headers["retry-after"] = str(retry_after_s)
        fields["retry_after"] = retry_after_s
    title = _title(error.code, languages, headers)
    return status, headers, _body(error.code, title, status, error.detail, request_id, fields)


def internal_problem(request_id: str, languages: str = "") -> tuple[int, dict[str, str], str]:
    """Explain a defect to a caller: that it happened, and its request id."""
    text, headers = "Something went wrong on our side. Please try again.", dict(_HEADERS)
    title = _title("internal", languages, headers)
    return 500, headers, _body("internal", title, 500, text, request_id, {})


_HEADERS = {"content-type": "application/problem+json", "cache-control": "no-store"}


def _title(code: str, languages: str, headers: dict[str, str]) -> str:
    """Return the title in the caller's language, which ``headers`` get to say."""
    if not languages:
        return code.replace("-", " ").capitalize()
    from fairgate.domain.shared.language import negotiated
    from fairgate.domain.shared.wording import wording

    language = negotiated(languages)
    headers["content-language"] = language
    return wording(language)(f"problem.{code}")


def _body(
    code: str,
    title: str,
    status: int,
    detail: str,
    request_id: str,
    fields: Mapping[str, object],
) -> str:
    body = Problem(f"urn:fairgate:problem:{code}", title, status, code, detail, request_id)
    return json.dumps(
        to_builtins(body) | fields,
        separators=(",", ":"),
        ensure_ascii=False,
    )
