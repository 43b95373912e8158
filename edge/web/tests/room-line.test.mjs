// The line of the waiting room: its parts are in order and its times do not overlap, whatever the estimate.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf } from '../assets/js/room-line.js';

const CAME_MS = Date.UTC(2026, 11, 4, 9);
const AFTER_S = [0, 1, 60, 540, 7200];
const ESTIMATES = [
  { lo_s: 0, hi_s: 30 },
  { lo_s: 600, hi_s: 1200 },
  { lo_s: 7200, hi_s: 14400 },
  { lo_s: 14400, hi_s: null }
];
const lines = AFTER_S.flatMap((passed) =>
  ESTIMATES.map((estimate) => {
    const nowMs = CAME_MS + passed * 1000;
    return { estimate, nowMs, line: lineOf({ joined_ms: CAME_MS, estimate }, nowMs, nowMs) };
  })
);

test('now comes before the likely window, and both are on the line', () => {
  for (const { line } of lines) {
    assert.ok(line.now >= 0 && line.now <= line.from && line.from <= 1, JSON.stringify(line));
  }
});

test('the times below the line are apart, and now is always among them', () => {
  for (const { line, nowMs } of lines) {
    const at = line.marks.map((mark) => mark.at).sort((a, b) => a - b);
    for (let i = 1; i < at.length; i++) assert.ok(at[i] - at[i - 1] > 0.16, JSON.stringify(line));
    assert.ok(line.marks.some(({ ms, kind }) => kind === 'at' && ms === nowMs));
  }
});

test('the window is where the estimate says, from the time when it was made', () => {
  const nowMs = CAME_MS + 600_000;
  const line = lineOf({ joined_ms: CAME_MS, estimate: { lo_s: 600, hi_s: 1200 } }, CAME_MS + 300_000, nowMs);
  assert.deepEqual([line.now, line.from], [600 / 1500, 900 / 1500]);
});

test('an estimate that has passed leaves the buyer at the end of the line', () => {
  const line = lineOf({ joined_ms: CAME_MS, estimate: { lo_s: 30, hi_s: 60 } }, CAME_MS, CAME_MS + 600_000);
  assert.deepEqual([line.now, line.from], [1, 1]);
});

test('there is no line without an estimate', () => {
  assert.equal(lineOf({ joined_ms: CAME_MS, estimate: null }, CAME_MS, CAME_MS), null);
});
