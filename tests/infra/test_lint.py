"""The templates as CloudFormation's own schemas read them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import patience_s
from tests.support.wrong_resources import UNKNOWN_TO_THE_LINTER, WRONG, template

from .conftest import ROOT, Assembly
from .stages import NAGGED, Stages

REGIONS = "ALL_REGIONS"
# Where one of the stacks' kinds of resource does not exist: docs/deploying.md.
NOT_EVERYWHERE = "E3006"
# The CDK writes DependsOn beside the reference that says the same.
LEFT_OUT = ("W3005",)
LINT_S = 300
OF_THE_SHOP = ("SignIn", "Edge", "Firewall")


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Templates that CloudFormation would refuse."""
    folder = tmp_path_factory.mktemp("lint")
    made = {what: folder / f"{n}.template.json" for n, what in enumerate(WRONG)}
    for what, path in made.items():
        path.write_text(template(WRONG[what]))
    return made


@pytest.fixture(scope="module")
def said(assembly: Assembly, stages: Stages, wrong: dict[str, Path]) -> dict[Path, list[str]]:
    """What the linter says of each template; of all in one run, because its start takes longest."""
    templates = [*assembly.folder.glob("*.template.json"), *wrong.values()]
    templates += [stages.folder / "shop" / f"{stack}.template.json" for stack in OF_THE_SHOP]
    left_out = ",".join(LEFT_OUT)
    options = ("--regions", REGIONS, "--ignore-checks", left_out, "--format", "parseable")
    done = subprocess.run(
        [Path(sys.executable).with_name("cfn-lint"), *options, "--template", *map(str, templates)],
        capture_output=True,
        text=True,
        timeout=patience_s(LINT_S),
        check=False,
    )
    assert not done.stderr, done.stderr
    assert done.returncode, "it has seen nothing, not even what is wrong"
    lines = done.stdout.splitlines()
    found = {path: [line for line in lines if line.startswith(f"{path}:")] for path in templates}
    assert sum(map(len, found.values())) == len(lines), done.stdout
    return found


def elsewhere(lines: list[str]) -> list[str]:
    """Without what says that a region lacks a service."""
    return [line for line in lines if f":{NOT_EVERYWHERE}:" not in line]


def test_the_linter_finds_nothing_in_any_template(
    assembly: Assembly, said: dict[Path, list[str]]
) -> None:
    templates = sorted(assembly.folder.glob("*.template.json"))
    assert len(templates) == len(assembly.templates())
    assert [line for path in templates for line in elsewhere(said[path])] == []


@pytest.mark.parametrize("stack", OF_THE_SHOP)
def test_the_linter_knows_all_of_a_stage_with_cognito_and_a_firewall(
    stages: Stages, said: dict[Path, list[str]], stack: str
) -> None:
    assert elsewhere(said[stages.folder / "shop" / f"{stack}.template.json"]) == []


def test_the_guide_names_the_regions_that_lack_a_service(said: dict[Path, list[str]]) -> None:
    lines = [line for found in said.values() for line in found]
    lacking = {line.split("'")[-2] for line in lines if line not in elsewhere([line])}
    guide = (ROOT / "docs/deploying.md").read_text("utf-8")
    [named] = re.findall(r"\*\*No stage can stand\*\* in (.*?), which", guide, re.DOTALL)
    assert set(re.split(r",? and |, ", " ".join(named.split()))) == lacking


@pytest.mark.parametrize("what", [what for what in WRONG if what not in UNKNOWN_TO_THE_LINTER])
def test_the_linter_finds_what_the_emulator_would_create(
    said: dict[Path, list[str]], wrong: dict[str, Path], what: str
) -> None:
    assert elsewhere(said[wrong[what]]) != []


def keyed_in_vain(resource: dict[str, Any]) -> bool:
    """Whether a cache policy names a key although it keeps nothing, which CloudFront refuses.

    Source: CloudFront API Reference, CachePolicyConfig, MaxTTL.
    """
    config = resource["Properties"]["CachePolicyConfig"]
    key = config["ParametersInCacheKeyAndForwardedToOrigin"]
    behaviours = {
        key["HeadersConfig"]["HeaderBehavior"],
        key["QueryStringsConfig"]["QueryStringBehavior"],
        key["CookiesConfig"]["CookieBehavior"],
    }
    encoded = key["EnableAcceptEncodingGzip"] or key.get("EnableAcceptEncodingBrotli", False)
    return config["MaxTTL"] == 0 and (behaviours != {"none"} or encoded)


def test_no_cache_policy_has_a_key_without_keeping_anything(assembly: Assembly) -> None:
    policies = assembly.resources("AWS::CloudFront::CachePolicy")
    assert policies
    assert [name for name, policy in policies.items() if keyed_in_vain(policy)] == []
    [unknown] = UNKNOWN_TO_THE_LINTER
    assert keyed_in_vain(WRONG[unknown])


# Source: EC2 API Reference, IpRange and UserIdGroupPair, Description; the narrower of the two.
OF_EC2 = re.compile(r"[a-zA-Z0-9 ._:/()#,@\[\]+=;{}!$*-]{0,255}")


def described(template: dict[str, Any]) -> list[str]:
    """What the security groups of a template and their rules say of themselves."""
    groups = [
        resource["Properties"]
        for resource in template["Resources"].values()
        if resource["Type"].startswith("AWS::EC2::SecurityGroup")
    ]
    inline = ("SecurityGroupIngress", "SecurityGroupEgress")
    rules = [rule for group in groups for way in inline for rule in group.get(way, ())]
    said = [one.get(key) for one in groups + rules for key in ("Description", "GroupDescription")]
    return [text for text in said if isinstance(text, str)]  # the others name an endpoint


@pytest.mark.parametrize("stage", NAGGED)
def test_ec2_takes_every_letter_of_a_security_group(stages: Stages, stage: str) -> None:
    """The linter does not look at them, and the emulator takes any."""
    templates = [json.loads(p.read_text()) for p in (stages.folder / stage).glob("*.template.json")]
    said = [text for template in templates for text in described(template)]
    assert said
    assert [text for text in said if not OF_EC2.fullmatch(text)] == []
