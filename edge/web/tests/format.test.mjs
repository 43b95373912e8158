import assert from 'node:assert/strict';
import { test } from 'node:test';
import './english.mjs';
import {
  clockText,
  countdownParts,
  dateText,
  durationText,
  estimateText,
  listText,
  money,
  placeText,
  soonText
} from '../assets/js/format.js';
import { LANGUAGES } from '../assets/js/language.js';
import { speakStrictly } from '../assets/js/words.js';

test('money has no decimals when it is whole, and follows the currency', () => {
  assert.equal(money(12000, 'EUR'), '€120');
  assert.equal(money(12050, 'EUR'), '€120.50');
  assert.equal(money(500, 'JPY'), 'JP¥500');
  assert.equal(money(0, 'GBP'), '£0');
});

test('clock never goes below zero and rounds up, so it shows 0:00 only when over', () => {
  assert.equal(clockText(65), '1:05');
  assert.equal(clockText(0.2), '0:01');
  assert.equal(clockText(-9), '0:00');
  assert.equal(clockText(3665), '1:01:05');
});

test('estimates name their bucket', () => {
  const words = [
    [0, 30],
    [30, 60],
    [60, 120],
    [600, 1200],
    [1800, 3600],
    [3600, 7200],
    [7200, 14400],
    [14400, null]
  ].map(([lo, hi]) => estimateText({ lo_s: lo, hi_s: hi }));
  assert.deepEqual(words, [
    'less than 30 seconds, rarely more than 60 seconds',
    'about 30–60 seconds, rarely more than 2 minutes',
    'about 1–2 minutes, rarely more than 5 minutes',
    'about 10–20 minutes, rarely more than 30 minutes',
    'about 30–60 minutes, rarely more than 2 hours',
    'about 1–2 hours, rarely more than 4 hours',
    'about 2–4 hours',
    'more than 4 hours'
  ]);
  assert.equal(estimateText(null), '');
  assert.equal(estimateText({ lo_s: 0, hi_s: 60 }), 'less than 60 seconds, rarely more than 2 minutes');
});

test('soon is calm when far and exact when near', () => {
  assert.equal(soonText(1), 'in a moment');
  assert.equal(soonText(12.2), 'in 13 seconds');
  assert.equal(soonText(600), 'in about 10 minutes');
});

test('countdown leaves out days when there are none', () => {
  assert.deepEqual(countdownParts(61), [
    [0, 'hours'],
    [1, 'minutes'],
    [1, 'seconds']
  ]);
  assert.equal(countdownParts(90000)[0][0], 1);
});

test('lists read like a sentence', () => {
  assert.equal(listText(['A']), 'A');
  assert.equal(listText(['A', 'B', 'C']), 'A, B and C');
});

test('a performance starts by the clocks of its place, not of the reader', () => {
  assert.match(dateText('2031-06-01T18:00:00.000Z', 'Europe/Berlin'), /1 Jun 2031.*20:00/);
  assert.match(dateText('2031-06-01T18:00:00.000Z', 'Asia/Tokyo'), /2 Jun 2031.*03:00/);
});

test('hours are 0 to 23 in every language, as on tickets and in mails', (t) => {
  t.after(() => speakStrictly('en', []));
  for (const language of LANGUAGES) {
    speakStrictly(language, []);
    assert.match(dateText('2031-06-01T18:05:00.000Z', 'Europe/Berlin'), /(?<!\d)20:05(?! [AaPpصم])/, language);
    assert.match(dateText('2031-06-01T22:05:00.000Z', 'Europe/Berlin'), /(?<!\d)00:05(?! [AaPpصم])/, language);
  }
});

test('a zone that the browser does not know leaves the date readable', () => {
  assert.match(dateText('2031-06-01T12:00:00.000Z', 'Mars/Olympus'), /Jun 2031/);
});

test('a place has the parts that are said', () => {
  assert.equal(placeText({ venue: 'Harbour Hall', venue_address: 'Quay 1' }), 'Harbour Hall, Quay 1');
  assert.equal(placeText({ venue: 'Harbour Hall', venue_address: null }), 'Harbour Hall');
});

test('lengths of time are whole minutes where they are', () => {
  assert.equal(durationText(600), '10 minutes');
  assert.equal(durationText(60), '1 minute');
  assert.equal(durationText(90), '90 seconds');
  assert.equal(durationText(450), '7.5 minutes');
});
