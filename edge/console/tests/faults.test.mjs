import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsAmong, faultsOf, isDrawn, rowsIn, sectionOf, signsOf, spotsOf } from '../js/map/faults.js';

// Section A: rows 1 (seats 0 to 2) and 2 (3, 4); section B: row 1 (5), all of it one seat.
const scene = {
  x: [0, 10, 20, 0, 10, 100],
  y: [0, 0, 0, 10, 10, 0],
  section: [0, 0, 0, 0, 0, 1],
  sections: [
    { id: 's0', from: 0, to: 5 },
    { id: 's1', from: 5, to: 6 }
  ],
  row: [0, 0, 0, 1, 1, 2],
  rows: [
    { from: 0, to: 3 },
    { from: 3, to: 5 },
    { from: 5, to: 6 }
  ]
};
const faults = faultsOf([
  {
    where: 'a',
    what: 'a row twice',
    places: [
      { section: 'A', row: '1', x: 10, y: 0 },
      { section: 'A', row: '1' }
    ],
    spans: [
      [0, 3],
      [3, 5]
    ]
  },
  { where: 'b', what: 'an area', places: [{ area: 'Floor', x: 50, y: 50 }], spans: [] },
  { where: 'c', what: 'a tier', places: [{ tier: 'gold' }] },
  { where: 'd', what: 'a seat', spans: [[1, 2]] }
]);

test('a fault is named once, and stands where its seats are, else where its place is', () => {
  assert.deepEqual(
    faults.map(({ n, named }) => [n, ...named]),
    [[1, 'section A, row 1'], [2, 'area Floor'], [3, 'tier gold'], [4]]
  );
  assert.deepEqual(faults.map(isDrawn), [true, true, false, true]);
  assert.deepEqual(spotsOf(faults, scene), [
    { n: 1, x: 10, y: 0 },
    { n: 1, x: 10, y: 10 },
    { n: 2, x: 50, y: 50 },
    { n: 4, x: 10, y: 0 }
  ]);
});

test('signs that would cover each other are one sign of all their faults', () => {
  const near = signsOf(spotsOf(faults, scene), (x, y) => ({ x, y }), 20);
  assert.deepEqual(
    near.map(({ all }) => all),
    [[1, 4], [2]]
  );
  const far = signsOf(spotsOf(faults, scene), (x, y) => ({ x: 9 * x, y: 9 * y }), 20);
  assert.equal(far.length, 3); // the seat lies in the middle of its row
});

test('what a fault concerns is a section, or its rows', () => {
  assert.equal(sectionOf(scene, [0, 5]).id, 's0');
  assert.deepEqual([sectionOf(scene, [0, 3]), sectionOf(scene, [5, 6])], [null, null]);
  assert.deepEqual(rowsIn(scene, [1, 5]), [
    [1, 3],
    [3, 5]
  ]);
  const among = (from, to) => faultsAmong(faults, from, to).map(({ n }) => n);
  assert.deepEqual([among(1, 2), among(4, 5), among(5, 6)], [[1, 4], [1], []]);
});
