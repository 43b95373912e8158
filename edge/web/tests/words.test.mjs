// The words of all languages say the same with the same variables, and the pages say nothing else.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

import { LANGUAGES } from '../assets/js/language.js';
import { say, sayWith, speakStrictly } from '../assets/js/words.js';
import { areasOf, messagesIn, messagesOf, partsOf } from '../words.mjs';
import { FOLDER } from './english.mjs';

// Languages that must have all areas: the others are compared as far as they are there.
const OBLIGATORY = LANGUAGES;
const SCRIPTS = join(dirname(fileURLToPath(import.meta.url)), '../assets/js');
const CALLS = ['say', 'sayWith', 'has'];

const AREAS = areasOf(FOLDER);
const ENGLISH = AREAS.flatMap((area) => messagesIn(join(FOLDER, 'en', `${area}.ftl`)));
const IDS = ENGLISH.map(({ id }) => id);

/** Returns the names of what a text uses, such as `$count`. */
function variablesOf(value, found = new Set()) {
  if (value && typeof value === 'object') {
    if (value.type === 'var') found.add(`$${value.name}`);
    for (const part of Object.values(value)) variablesOf(part, found);
  }
  return found;
}

/** Returns the texts of a value's plain parts. */
const textsOf = (value) =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap((part) => (part ? textsOf(part) : []));

const shapeOf = (messages) => messages.map(({ id, value }) => [id, ...[...variablesOf(value)].sort()].join(' ')).sort();

test('every language says what English says, with the same variables', () => {
  for (const language of LANGUAGES) {
    for (const area of AREAS) {
      const path = join(FOLDER, language, `${area}.ftl`);
      if (!existsSync(path) && !OBLIGATORY.includes(language)) continue;
      const english = messagesIn(join(FOLDER, 'en', `${area}.ftl`));
      assert.deepEqual(shapeOf(messagesIn(path)), shapeOf(english), `${language}/${area}`);
    }
  }
});

test('there are words of no other language or area, and no id is in two areas', () => {
  for (const language of readdirSync(FOLDER)) {
    assert.ok(LANGUAGES.includes(language), language);
    for (const name of readdirSync(join(FOLDER, language))) assert.ok(AREAS.includes(name.replace('.ftl', '')), name);
  }
  assert.deepEqual(IDS, [...new Set(IDS)]);
});

test('a text is one line: what breaks a line in a file would break it on the page', () => {
  for (const language of readdirSync(FOLDER)) {
    for (const name of readdirSync(join(FOLDER, language))) {
      for (const { id, value } of messagesIn(join(FOLDER, language, name))) {
        assert.ok(!textsOf(value).some((text) => text.includes('\n')), `${language}/${name}: ${id}`);
      }
    }
  }
});

test('what is not Fluent is refused, where its parser passes over it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  const path = join(folder, 'first.ftl');
  for (const text of ['a = { $n -> [one] x *[other] y }\n', 'a = x\na = y\n', 'a x\n', 'a = { $n\n']) {
    writeFileSync(path, `good = yes\n${text}`);
    assert.throws(() => messagesIn(path), /no Fluent messages/, text);
  }
  rmSync(folder, { recursive: true });
});

test('a line of French ends before no sign of its sentence', () => {
  const texts = partsOf(FOLDER).flatMap(([, areas]) => textsOf(messagesOf(FOLDER, 'fr', areas)));
  assert.ok(texts.some((text) => text.includes('billets\u00a0?')));
  assert.ok(texts.some((text) => text.startsWith('\u00a0: '))); // after a variable
  for (const text of texts) assert.doesNotMatch(text, /« | [?!:;»]/);
});

// --- what the pages say

/** Returns {said, begun, texts} of some sources: the ids that are said, how made ones begin, and all strings. */
function used(sources) {
  const said = new Set();
  const begun = new Set();
  const texts = new Set();
  const take = (node) => {
    if (ts.isStringLiteralLike(node)) said.add(node.text);
    else if (ts.isTemplateExpression(node)) begun.add(node.head.text);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(take);
  };
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    if (ts.isCallExpression(node) && CALLS.includes(node.expression.text)) take(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(ts.createSourceFile('a.js', source, ts.ScriptTarget.Latest));
  return { said: [...said], begun: [...begun], texts };
}

/** Lists what is wrong between the sources and the ids that there are. */
function faults(sources, ids) {
  const { said, begun, texts } = used(sources);
  return [
    ...said.filter((id) => !ids.includes(id)).map((id) => `there is no text ${id}`),
    ...begun.filter((start) => !ids.some((id) => id.startsWith(start))).map((start) => `no text begins ${start}`),
    ...ids
      .filter((id) => !texts.has(id) && !begun.some((start) => start && id.startsWith(start)))
      .map((id) => `nobody says ${id}`)
  ];
}

const SOURCES = readdirSync(SCRIPTS, { recursive: true })
  .filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(join(SCRIPTS, name), 'utf8'));

test('every text that the pages say is there, and every text is said', () => {
  assert.deepEqual(faults(SOURCES, IDS), []);
});

test('a text that is removed, or that nobody says, is noticed', () => {
  assert.deepEqual(
    faults(
      SOURCES,
      IDS.filter((id) => id !== 'page-skip')
    ),
    ['there is no text page-skip']
  );
  assert.deepEqual(faults(SOURCES, [...IDS, 'page-nobody']), ['nobody says page-nobody']);
  assert.deepEqual(faults(['say(`a-${b}`)', "say(c ? 'd' : 'e')"], ['d']), ['there is no text e', 'no text begins a-']);
});

// --- how a text is said

const MESSAGES = [
  { id: 'sold-by', value: ['Sold by ', { type: 'var', name: 'who' }, ', ', { type: 'var', name: 'n' }] }
];

test('elements stand in a text where its language puts them', () => {
  const who = { name: 'bdi' };
  speakStrictly('nl', MESSAGES);
  assert.deepEqual(sayWith('sold-by', { who }, { n: 1200 }), ['Sold by ', who, ', 1.200']);
});

test('names are isolated in Arabic alone, and digits are 0 to 9', () => {
  speakStrictly('ar', MESSAGES);
  assert.equal(say('sold-by', { who: 'Hall', n: 12 }), 'Sold by \u2068Hall\u2069, \u206812\u2069');
  speakStrictly('de', MESSAGES);
  assert.equal(say('sold-by', { who: 'Hall', n: 12 }), 'Sold by Hall, 12');
});

test('a text or a variable that is missing fails a test', () => {
  assert.throws(() => say('no-such-text'), /no text no-such-text/);
  assert.throws(() => say('sold-by', { n: 1 }), /Unknown variable: \$who/);
});

test('the words come in parts: those of the first page alone', () => {
  const parts = new Map(partsOf(FOLDER));
  assert.deepEqual(parts.get('first'), ['first']);
  assert.deepEqual([...parts.values()].flat().sort(), AREAS);
});
