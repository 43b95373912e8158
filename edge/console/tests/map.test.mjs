import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharesOf, stepOf } from '../js/map/heat.js';
import { codesNow, meantBy, namesOf, saidOf, toggled, typed } from '../js/map/picks.js';

// Section A: rows 1 (seats 0 to 2) and 2 (3, 4), and once more a row 1 (5) in another block. Section B: row 1 (6, 7).
const rows = (section, ...ends) => ends.map(([name, from, to]) => ({ name, from, to, section }));
const scene = {
  section: [0, 0, 0, 0, 0, 0, 1, 1],
  sections: [
    { id: 'A', from: 0, to: 6, rows: rows(0, ['1', 0, 3], ['2', 3, 5], ['1', 5, 6]) },
    { id: 'B', from: 6, to: 8, rows: rows(1, ['1', 6, 8]) }
  ]
};
const idOf = async (section, index) => `${section}-${index}`;
const names = (...seats) => namesOf(scene, new Set(seats), idOf);

test('what is chosen is named in the fewest words', async () => {
  assert.deepEqual(await names(6, 7), { section: ['B'], row: [], seat: [] });
  assert.deepEqual(await names(3, 4, 6), { section: [], row: ['A/2'], seat: ['B-0'] });
  assert.deepEqual(await names(0, 1, 2, 3, 4, 5, 7), { section: ['A'], row: [], seat: ['B-1'] });
});

test('a row is named only with all rows of its name', async () => {
  assert.deepEqual(await names(0, 1, 2), { section: [], row: [], seat: ['A-0', 'A-1', 'A-2'] });
  assert.deepEqual(await names(0, 1, 2, 5), { section: [], row: ['A/1'], seat: [] });
  assert.deepEqual(meantBy(scene, [5], 'row'), [0, 1, 2, 5]);
  assert.deepEqual(meantBy(scene, [3, 7], 'section'), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(meantBy(scene, [3], 'seat'), [3]);
});

test('what is chosen in part is chosen whole, and then not', () => {
  assert.deepEqual([...toggled(new Set([1]), [1, 2])], [1, 2]);
  assert.deepEqual([...toggled(new Set([1, 2, 3]), [1, 2])], [3]);
});

test('a choice is said in words', () => {
  assert.equal(saidOf({ section: ['A', 'B'], row: ['C/1'], seat: ['x'] }), 'section A, B, row C/1, 1 seat');
  assert.equal(saidOf({ section: [], row: ['1', '2', '3', '4'], seat: ['x', 'y'] }), '4 rows, 2 seats');
  assert.deepEqual(typed(' A/1, A/2\n\nB '), ['A/1', 'A/2', 'B']);
});

test('what is blocked now counts, whatever buyers see yet', () => {
  assert.deepEqual([...codesNow(Uint8Array.of(0, 1, 2, 3), [0], 4)], [3, 1, 2, 0]);
  assert.deepEqual([...codesNow(null, [2], 3)], [0, 0, 3]);
});

test('the last step of heat is for what is gone whole', () => {
  assert.deepEqual([0, 0.199, 0.2, 0.999, 1, null, undefined].map(stepOf), [0, 0, 1, 4, 5, null, null]);
});

test('house seats are not for sale', () => {
  const section = { id: 'A', total: 120, sold: 80, held: 12, free: 24, blocked: 4 };
  const area = { id: 'floor', total: 500, taken: 310, free: 180, blocked: 10 };
  const [a, floor] = sharesOf({ sections: [section], areas: [area] });
  assert.deepEqual([a.gone, a.of, floor.gone, floor.of], [92, 116, 310, 490]);
  assert.equal(sharesOf({ sections: [{ ...section, blocked: 120 }], areas: [] })[0].share, null);
});
