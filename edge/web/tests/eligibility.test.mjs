// What a page says of an event's requirements, before anybody waits.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './english.mjs';
import { refusal, requirements } from '../assets/js/eligibility.js';

const DAY_MS = 86400000;
const ago = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
const KNOWN = { since: ago(30).slice(0, 10), verified_phone: true, memberships: ['fan-club'] };
const UNKNOWN = { since: '', verified_phone: false, memberships: [] };

test('an event without requirements is open to every account', () => {
  assert.deepEqual(requirements({}), []);
  assert.equal(refusal({}, UNKNOWN), '');
});

test('each requirement is said, and refuses only the account that lacks it', () => {
  const young = { ...KNOWN, since: ago(29).slice(0, 10) };
  for (const [event, lacking, said] of [
    [{ account_days: 30 }, young, /at least 30 days old. Yours was made on/],
    [{ account_days: 30 }, UNKNOWN, /does not say how old/],
    [{ verified_phone: true }, UNKNOWN, /no verified phone number/],
    [{ members: 'gold,fan-club' }, UNKNOWN, /is no member, so/],
    [{ members: 'fan-club', members_until: ago(-1) }, UNKNOWN, /come back at/]
  ]) {
    assert.equal(requirements(event).length, 1);
    assert.equal(refusal(event, KNOWN), '');
    assert.match(refusal(event, lacking), said);
  }
});

test('after the presale nothing is said of it', () => {
  const event = { members: 'fan-club', members_until: ago(1) };
  assert.deepEqual(requirements(event), []);
  assert.equal(refusal(event, UNKNOWN), '');
});

test('a sign-in that says nothing of the account is left to the service', () => {
  assert.equal(refusal({ verified_phone: true }, undefined), '');
});
