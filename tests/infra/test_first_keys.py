"""A deployment begins without keys, and its secrets take them as they are deployed."""

from __future__ import annotations

import json

from fairgate.adapters.aws.secrets import CachedSecrets
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.operate.first_keys import make_first_keys

from .conftest import Assembly


class Document:
    def __init__(self, text: str) -> None:
        self.text = text

    def read(self) -> str:
        return self.text

    def write(self, before: str, after: str) -> None:
        assert before == self.text
        self.text = after


def test_secrets_become_readable_when_they_are_as_deployed(assembly: Assembly) -> None:
    documents = {}
    for name, (_, secret) in assembly.keys_secrets().items():
        generated = secret["Properties"]["GenerateSecretString"]
        deployed = json.loads(generated["SecretStringTemplate"])
        key = generated["GenerateStringKey"]
        documents[name] = Document(json.dumps({**deployed, key: "random"}))
    make_first_keys(documents.__getitem__)
    store = CachedSecrets(lambda name: documents[name].read(), MemoryClock())
    assert store.sign_in().auth_kid in store.sign_in().auth
    assert len({store.payments().webhook, store.tickets().ticket, store.addresses()}) == 3
