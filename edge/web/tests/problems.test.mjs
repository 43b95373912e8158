import assert from 'node:assert/strict';
import { test } from 'node:test';
import './english.mjs';
import { timeText } from '../assets/js/format.js';
import { explain } from '../assets/js/problems.js';

const UNTIL = '2030-06-01T18:30:00.000Z';

for (const [field, written] of [
  ['settling_until', '18:30 UTC'],
  ['held_until', '18:30:00 UTC']
]) {
  test(`a problem with ${field} says its detail, in the reader's time`, () => {
    const detail = `Wait until ${written} at the latest.`;
    const words = explain({ code: 'dependency-unavailable', fields: { detail, [field]: UNTIL } });
    assert.equal(words, `Wait until ${timeText(UNTIL)} at the latest.`);
  });
}

test('an outage without a detail of its own is told in our words', () => {
  const words = explain({ code: 'dependency-unavailable', fields: { detail: 'DynamoDB throttles.' } });
  assert.match(words, /^The service is very busy\./);
});
