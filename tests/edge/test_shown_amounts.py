"""An amount is the same number wherever it is shown, and the one that the provider charges."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from babel.core import get_global

from fairgate.adapters.payments.stripe_objects import to_stripe
from fairgate.domain.shared.amount_text import amount_text
from fairgate_ops.operate.cli.money import money
from fairgate_ops.run.local import sandbox_pages
from fairgate_ops.shared.paths import ROOT
from tests.support.needs import node
from tests.support.waiting import patience_s

FORMAT = ROOT / "edge" / "web" / "assets" / "js" / "format.js"
MINOR = 123_456
# Source: Stripe, "Supported currencies": zero-decimal and three-decimal ones; ISK and UGX are sent
# in hundredths although they have none. All others have two.
STRIPE = {
    0: "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF",
    2: "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP "
    "BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD "
    "GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD "
    "MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR "
    "PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD "
    "TZS UAH UGX USD UYU UZS WST XCD YER ZAR ZMW",
    3: "BHD JOD KWD OMR TND",
}


def in_use() -> list[str]:
    rows = [row for rows in get_global("territory_currencies").values() for row in rows]
    return sorted({code for code, _, last, is_tender in rows if last is None and is_tender})


@pytest.mark.parametrize("digits", [0, 2, 3])
def test_what_is_shown_is_what_the_provider_charges(digits: int) -> None:
    for code in STRIPE[digits].split():
        charged = to_stripe(MINOR, code) / 10**digits
        assert float(amount_text(MINOR, code).replace(",", "")) == charged, code


def test_a_page_shows_what_mails_invoices_and_the_command_show() -> None:
    """Whatever the browser's own tables say: they change, HUF has had two digits and none."""
    codes = in_use()
    script = (
        f"import {{ money }} from {json.dumps(FORMAT.as_uri())};"
        f"const shown = {json.dumps(codes)}.map((code) => money({MINOR}, code));"
        "process.stdout.write(JSON.stringify(shown));"
    )
    command = [node(), "--input-type=module", "-e", script]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=patience_s(60), check=True
    )
    for code, page in zip(codes, json.loads(done.stdout), strict=True):
        [number] = re.findall(r"\d[\d,.]*", page)
        text = amount_text(MINOR, code)
        whole = re.sub(r"\.0+$", "", text)
        assert number in (text, whole), f"{code}: {page}"
        assert money(MINOR, code) == f"{text} {code}"
        assert sandbox_pages.amount_text(MINOR, code) == f"{code} {text}"


def test_no_amount_is_rounded_however_great_it_is() -> None:
    assert amount_text(9_007_199_254_740_993, "EUR") == "90,071,992,547,409.93"
    assert amount_text(-5, "EUR") == "-0.05"
    assert amount_text(-1_234, "KWD") == "-1.234"
    assert amount_text(-4_500, "JPY") == "-4,500"
