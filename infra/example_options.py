"""``python -m infra.example_options STAGE``: options with which a stage can be synthesised.

What they name exists nowhere: they let the templates be looked at, and are never for a deployment.
"""

from __future__ import annotations

import sys

from infra.config import TEST_STAGES

_SELLS = {
    "payments_provider": "stripe",
    "sign_in": "cognito",
    "cognito_plan": "lite",
    "mail_sender": "tickets@example.org",
    "web_acl_arn": "arn:aws:wafv2:us-east-1:111122223333:global/webacl/x/y",
    "zones": "euc1-az1,euc1-az3",  # a region with a zone that AWS refuses needs two
}


def example_options(stage: str) -> dict[str, str]:
    """The least that such a stage needs: what sells needs payments and a sign-in."""
    options = _SELLS if stage not in TEST_STAGES else {"payments_provider": "sandbox"}
    return {"stage": stage, **options}


def main() -> None:
    (stage,) = sys.argv[1:]
    words = [f"-c {option}={value}" for option, value in example_options(stage).items()]
    print(*words)  # noqa: T201 a command prints


if __name__ == "__main__":
    main()
