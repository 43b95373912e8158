import assert from 'node:assert/strict';
import { test } from 'node:test';
import './english.mjs';
import { isOver } from '../assets/js/parts.js';
import { newsTexts, sumOf } from '../assets/js/room-news.js';
import { saleEndText } from '../assets/js/sale-end.js';

const newsText = (...facts) => newsTexts(...facts).join(' ');

const open = { state: 'open' };
const counts = (seats, places) => ({
  sections: { A: { total: 90, available: seats } },
  areas: { F: { capacity: 10, available: places } }
});

test('seats and places of areas are added up', () => {
  assert.deepEqual(sumOf(counts(3, 2)), { left: 5, total: 100 });
  assert.deepEqual(sumOf({}), { left: 0, total: 0 });
});

test('nothing is said while there is enough, or nothing is known', () => {
  assert.equal(newsText(open, sumOf(counts(4, 2))), '');
  assert.equal(newsText(open, null), '');
  assert.equal(newsText(open, sumOf({})), '');
});

test('few and none are told before people wait for nothing', () => {
  assert.match(newsText(open, sumOf(counts(4, 1))), /^Few are left: 5 places\./);
  assert.match(newsText(open, sumOf(counts(1, 0))), /^Few are left: 1 place\./);
  assert.match(newsText(open, sumOf(counts(0, 0))), /^Nothing is free at this moment\./);
});

test('what the organiser says comes first, to whom and until when it is meant', () => {
  const message = (to, ms) => ({
    texts: { de: 'Gleich.', en: 'Soon.' },
    to,
    at: '',
    until: new Date(ms).toISOString()
  });
  const said = (to, ms = Date.now() + 60000) => newsText({ ...open, message: message(to, ms) }, null);
  assert.equal(said('all'), 'From the organiser: Soon.');
  assert.equal(said('waiting'), 'From the organiser: Soon.');
  assert.equal(said('shopping'), '');
  assert.equal(said('all', Date.now() - 1), '');
  const paused = newsText({ state: 'paused', message: message('all', Date.now() + 60000) }, null);
  assert.match(paused, /^From the organiser: Soon\. The organiser has paused/);
});

test('a pause comes first, and the end is an end', () => {
  assert.match(newsText({ state: 'paused' }, sumOf(counts(0, 0))), /paused/);
  assert.deepEqual(
    ['open', 'paused', 'draining', 'soldout', 'closed'].map((state) => isOver({ state })),
    [false, false, false, true, true]
  );
});

test('the end of the sale is told an hour before, or when the wait may be longer', () => {
  const ends = (minutes) => ({ ...open, sale_ends_at: new Date(Date.now() + minutes * 60000).toISOString() });
  assert.equal(saleEndText(open, { lo_s: 0, hi_s: 9e9 }), '');
  assert.equal(newsText(ends(90), null, { lo_s: 60, hi_s: 600 }), '');
  assert.match(newsText(ends(30), null, null), /^The sale ends .* nobody is let in after it\.$/);
  assert.match(newsText(ends(30), sumOf(counts(1, 0)), null), /^Few are left: 1 place\..*The sale ends/);
  assert.match(newsText(ends(90), null, { lo_s: 3600, hi_s: 7200 }), /Your wait may be longer than that\.$/);
  assert.match(newsText(ends(90), null, { lo_s: 7200, hi_s: null }), /Your wait may be longer than that\.$/);
});
