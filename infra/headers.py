"""The headers that every answer to a browser carries, at CloudFront and in the local nginx alike.

It imports nothing of the CDK.
"""

from __future__ import annotations

import base64
import hashlib
import re

# Scripts, styles and workers come from the site itself. Buyers leave for the payment provider's
# page by navigation, which a policy of the page does not restrict.
_POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Where the firewall's challenge has its script and sends what that found. Source: AWS WAF
# Developer Guide, "Using the JavaScript API with content security policies"; the third directive
# that it names, script-src-elem, is script-src's where a policy does not have it (CSP level 3). The
# page that the challenge itself comes on is the firewall's own answer, and has its own policy: a
# response headers policy is for what the cache or the origin answers (CloudFront Developer Guide,
# "Add or remove HTTP headers in CloudFront responses with a policy").
CHALLENGE = "https://*.awswaf.com"


# The one script that edge/web/build.mjs puts into the page. It asks for what the page needs
# first. While a release and its policy differ, the browser refuses it, and the page's other script
# asks.
_EARLY = re.compile(r'<script type="module" async>(.*?)</script>', re.DOTALL)


def content_security_policy(page: str, *, firewall: bool = False) -> str:
    """Return the pages' policy; with a firewall before them its challenge may run, too.

    Args:
        page: ``index.html`` as it is built, whose own script may run.
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in _EARLY.findall(page))
    own = "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    policy = _POLICY.replace("script-src 'self'", f"script-src 'self'{own}")
    if firewall:
        for directive in ("script-src 'self'", "connect-src 'self'"):
            policy = policy.replace(directive, f"{directive} {CHALLENGE}")
    return policy


REFERRER_POLICY = "strict-origin-when-cross-origin"
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=()"
HSTS_MAX_AGE_S = 31_536_000
# Every answer has these. Gate, screen and firewall add them to their own answers, to which a policy
# of CloudFront adds nothing. Over http a browser ignores the first (RFC 6797, section 8.1).
EVERYWHERE = {
    "strict-transport-security": f"max-age={HSTS_MAX_AGE_S}",
    "x-content-type-options": "nosniff",
}
# What an answer says of these itself is stricter, and reaches the browser (a ticket's picture may
# do nothing at all); of all others, what stands above replaces what it says.
AN_ANSWERS_OWN = ("content-security-policy", "x-content-type-options")
