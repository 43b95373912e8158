import assert from 'node:assert/strict';
import { test } from 'node:test';
import { middle } from '../assets/js/outline.js';

test('the name of a box stands in its centre', () => {
  const { x, y, clearance } = middle([
    [0, 0],
    [40, 0],
    [40, 20],
    [0, 20]
  ]);
  assert.deepEqual([x, y], [20, 10]);
  assert.equal(clearance, 10);
});

test('the name of a curved section stands on it, not in the hollow', () => {
  const arc = (radius, back) =>
    Array.from({ length: 19 }, (_, i) => (Math.PI * (back ? 18 - i : i)) / 18).map((a) => [
      100 + radius * Math.cos(a),
      radius * Math.sin(a)
    ]);
  const { x, y } = middle([...arc(100, false), ...arc(70, true)]);
  const away = Math.hypot(x - 100, y);
  assert.ok(away > 74 && away < 96, `${away} from the centre`);
});

test('a flat outline still has a middle', () => {
  assert.deepEqual(
    middle([
      [0, 0],
      [10, 0],
      [20, 0]
    ]),
    { x: 10, y: 0, clearance: 0 }
  );
});
