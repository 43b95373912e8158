"""Decide which mail addresses mail can be sent to: one rule for checkout, finder and mailer.

A domain beyond ASCII is sent to as its A-label. These are refused:

- a part before the ``@`` beyond ASCII, because SES sends no such mail;
- dots there at an end or doubled, because they are nearly always slips. A buyer who really has such
  an address quotes that part (``"jo..ann"@example.com``), and it is sent so;
- IP addresses, and domains of the special-use registry, like ``.local``.

Whether a domain exists is not asked. Source: RFC 5321, 4.1.2; RFC 5891; SES API v2, Destination.
"""

from __future__ import annotations

from fairgate.errors import MailAddressError


def sent_to(address: str) -> str:
    """Return an address as mail is sent to it, in ASCII, its domain in small letters.

    Raises MailAddressError, which says in words what is wrong.
    """
    # 40 ms: only where an address is taken or mailed.
    from email_validator import EmailNotValidError, validate_email

    try:
        valid = validate_email(
            address,
            allow_smtputf8=False,
            allow_quoted_local=True,
            check_deliverability=False,
            strict=True,
        )
    except (EmailNotValidError, UnicodeError) as error:
        said = "" if isinstance(error, UnicodeError) else f" {error}"
        raise MailAddressError(f"No mail can be sent to this address.{said}") from error
    if valid.ascii_email is None or valid.ascii_local_part in (None, '""'):
        raise MailAddressError("No mail can be sent to this address.")
    return valid.ascii_email


def why_unsendable(address: str) -> str:
    """Return why no mail can be sent to an address, "" where it can."""
    try:
        sent_to(address)
    except MailAddressError as error:
        return error.detail
    return ""
