import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { FOLDER } from './english.mjs';
import { lineLabel, placeLabel } from '../assets/js/labels.js';
import { LANGUAGES } from '../assets/js/language.js';
import { speakStrictly } from '../assets/js/words.js';
import { messagesOf } from '../words.mjs';

const CORE = join(FOLDER, '../../../layers/core/python/fairgate/domain');
const speak = (language) => speakStrictly(language, messagesOf(FOLDER, language, ['order']));
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

afterEach(() => speak('en'));

test('a place is named by the words of mails and tickets, in every language', () => {
  for (const language of LANGUAGES) {
    const mails = JSON.parse(readFileSync(join(CORE, `shared/words/${language}.json`), 'utf8'));
    const part = (key, name) => mails[`place.${key}`].replace('{name}', name);
    speak(language);
    const said = (label) => plain(placeLabel(label));
    assert.equal(said('Left · Row B · Seat 12'), `Left · ${part('row', 'B')} · ${part('seat', '12')}`);
    assert.equal(said('Hall · Front · Table 4'), `Hall · Front · ${part('table', '4')}`);
    assert.equal(said('Hall · Ring · Box 2'), `Hall · Ring · ${part('box', '2')}`);
  }
});

test('what is no seat keeps its name, and a section may have the dot of labels in its own', () => {
  speak('de');
  for (const name of ['Floor', 'Row A', 'Left · Middle', 'Row · Seat', '']) assert.equal(placeLabel(name), name);
  assert.equal(placeLabel('East · Upper · Row C · Seat 1'), 'East · Upper · Reihe C · Platz 1');
});

test('names keep their direction in Arabic alone', () => {
  speak('ar');
  assert.equal(placeLabel('Floor'), '\u2068Floor\u2069');
  const [section, row, seat] = placeLabel('102 · Row A · Seat 1').split(' · ');
  assert.equal(section, '\u2068102\u2069');
  assert.ok(row.endsWith(' \u2068A\u2069') && seat.endsWith(' \u20681\u2069'));
  assert.equal(lineLabel({ kind: 'tickets', quantity: 2, label: 'Gold' }), '2 × \u2068Gold\u2069');
});

test('a line says its number once', () => {
  const line = (quantity, label) => lineLabel({ kind: 'tickets', quantity, label });
  assert.equal(line(1, 'Gold'), 'Gold');
  assert.equal(line(2, 'Gold'), '2 × Gold');
  assert.equal(line(2, '2 × Floor'), '2 × Floor');
});

test('fees are said in the language of the page, a name that nobody knows as it is', () => {
  const service = readFileSync(join(CORE, 'orders/fees.py'), 'utf8');
  for (const label of ['Fee per order', 'Fee per ticket']) assert.ok(service.includes(`"${label}"`), label);
  const fee = (quantity, label) => lineLabel({ kind: 'fee', quantity, label });
  speak('de');
  assert.equal(fee(1, 'Fee per order'), 'Gebühr je Bestellung');
  assert.equal(fee(2, 'Fee per ticket'), '2 × Gebühr je Karte');
  assert.equal(fee(2, 'Fee for paper'), '2 × Fee for paper');
  assert.equal(lineLabel({ kind: 'tickets', quantity: 1, label: 'Fee per order' }), 'Fee per order');
});
