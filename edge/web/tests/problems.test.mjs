import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { areasOf, messagesOf } from '../words.mjs';

import { dateText, timeText } from '../assets/js/format.js';
import { explain } from '../assets/js/problems.js';
import { speakStrictly } from '../assets/js/words.js';
import { FOLDER } from './english.mjs';

const UNTIL = '2030-06-01T18:30:00.000Z';
const speaks = (tag) => speakStrictly(tag, messagesOf(FOLDER, tag, areasOf(FOLDER)));

after(() => speaks('en'));

for (const field of ['settling_until', 'held_until']) {
  test(`a problem with ${field} says until when seats are kept, in the reader's time`, () => {
    const detail = 'Wait until 18:30 UTC at the latest.';
    const words = explain({ code: 'dependency-unavailable', fields: { detail, [field]: UNTIL } });
    assert.ok(words.endsWith(` Your seats stay yours until ${timeText(UNTIL)} at the latest.`), words);
  });
}

test('an outage without a detail of its own is told in our words', () => {
  const words = explain({ code: 'dependency-unavailable', fields: { detail: 'DynamoDB throttles.' } });
  assert.match(words, /^The service is very busy\./);
});

test('a reason is said in the language of the buyer, a new one by its code', () => {
  const detail = 'This is your own ticket.';
  const told = (reason) => explain({ code: 'wrong-state', fields: { detail, reason } });
  speaks('de');
  assert.equal(told('own'), 'Das ist Ihre eigene Karte. Senden Sie den Link der Person, die sie bekommen soll.');
  assert.equal(told('of-tomorrow'), 'Das ist nicht mehr möglich.');
  speaks('en');
  assert.equal(told('own'), 'This is your own ticket. Send the link to the person who is to have it.');
});

test('what comes with a refusal is said in every language', () => {
  speaks('de');
  const told = (code, fields) => explain({ code, fields: { detail: 'English.', ...fields } });
  assert.match(told('no-seats-found', { possible: { together: 3, section: '102' } }), /frei: 3\. In Block 102 gibt/);
  assert.match(told('limit-exceeded', { limit: 4, reason: 'address' }), /Postadresse haben darf\. Die Grenze ist 4\.$/);
  assert.match(told('malformed-input', { field: 'postal_address.city' }), /^Diese Angabe fehlt/);
  const until = dateText(UNTIL);
  assert.ok(told('not-eligible', { reason: 'members', until: UNTIL }).includes(until));
});

test('English says what is wrong with a field, which the service alone knows', () => {
  speaks('en');
  const detail = 'No mail can be sent to this address. It cannot have two periods in a row.';
  assert.equal(explain({ code: 'malformed-input', fields: { detail, field: 'email' } }), detail);
});
