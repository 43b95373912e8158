import assert from 'node:assert/strict';
import { test } from 'node:test';
import './english.mjs';
import { emptyTiers } from '../assets/js/room-beside.js';

const venue = {
  sections: [{ id: 'A', tiers: ['gold'] }, { id: 'B', tiers: ['gold', 'blue'] }, { id: 'C' }],
  areas: [{ id: 'F', tier: 'floor' }]
};
const free = (a, b, f) => ({
  sections: { A: { available: a }, B: { available: b } },
  areas: { F: { available: f } }
});

test('a price is gone where each of its places is', () => {
  assert.deepEqual([...emptyTiers(venue, free(0, 0, 0))], ['gold', 'blue', 'floor']);
  assert.deepEqual([...emptyTiers(venue, free(1, 0, 2))], ['blue']);
  assert.deepEqual([...emptyTiers(venue, free(0, 1, 0))], ['floor']);
});

test('what is not counted is not called gone', () => {
  assert.deepEqual([...emptyTiers(venue, {})], []);
  assert.deepEqual([...emptyTiers(venue, { sections: { A: { available: 0 } } })], []);
  assert.deepEqual([...emptyTiers({ sections: [] }, free(0, 0, 0))], []);
});
