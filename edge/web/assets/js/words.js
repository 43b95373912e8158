// What the pages say, in the visitor's language. The words are in words/<language>/<area>.ftl, by Project Fluent.
//
// They come in parts: `first` with the page, the others when somebody needs them. What is missing is said in English.

import { FluentBundle } from '@fluent/bundle/esm/bundle.js';
import { dirOf, keepLanguage, LANGUAGES, setDocument, visitorsLanguage } from './language.js';
import { load } from './word-files.js';

const AGAIN_MS = 1000;
const ENGLISH = 'en';
const NODE = /\uE000(\d+)\uE001/; // where an element stands in a text

const bundles = new Map(); // language → FluentBundle of what has come
const loading = new Map(); // language/part → promise, also when it is done
const needed = new Set(['first']); // parts that the pages have asked for
let current = ENGLISH;
let strict = false; // throws for what is missing: in tests
let changed = () => {};

/** Returns the language that the pages speak, as in `<html lang>`. */
export const language = () => current;

/** Returns which way its lines run. */
export const dir = () => dirOf(current);

/** Returns the locale for Intl. Digits are 0 to 9 and hours 0 to 23 in all languages, as on tickets and in mails. */
export const locale = (tag = current) => `${tag === ENGLISH ? 'en-GB' : tag}-u-hc-h23-nu-latn`;

function take(tag, messages) {
  const isolates = { useIsolating: dirOf(tag) === 'rtl' };
  if (!bundles.has(tag)) bundles.set(tag, new FluentBundle(locale(tag), isolates));
  bundles.get(tag).addResource({ body: messages }, { allowOverrides: true });
}

const bundleWith = (id) => [current, ENGLISH].map((tag) => bundles.get(tag)).find((one) => one?.hasMessage(id));

/** Whether there is a text of this id. */
export const has = (id) => Boolean(bundleWith(id));

/** Says the text `id`; `args` are its numbers and strings. */
export function say(id, args) {
  const bundle = bundleWith(id);
  if (bundle) return bundle.formatPattern(bundle.getMessage(id).value, args, strict ? null : []);
  if (strict) throw new Error(`There is no text ${id}.`);
  return id;
}

/**
 * Says the text `id` with elements in it, such as a link, a clock or the `<bdi>` of a name: returns the children of
 * the element that shows it. `nodes` are elements by the names of their variables.
 */
export function sayWith(id, nodes, args) {
  const names = Object.keys(nodes);
  const marks = Object.fromEntries(names.map((name, i) => [name, `\uE000${i}\uE001`]));
  const parts = say(id, { ...args, ...marks }).split(NODE);
  return parts.map((part, i) => (i % 2 ? nodes[names[part]] : part)).filter((part) => part !== '');
}

async function loadTwice(tag, part) {
  try {
    return await load(tag, part);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return load(tag, part, `?again=${Date.now()}`); // some browsers remember a module that could not be loaded
  }
}

/** Loads a part of a language's words, once; throws where it cannot be had twice. */
function loaded(tag, part) {
  const key = `${tag}/${part}`;
  if (!loading.has(key)) {
    const forget = (error) => {
      loading.delete(key);
      throw error;
    };
    loading.set(
      key,
      loadTwice(tag, part).then((messages) => take(tag, messages), forget)
    );
  }
  return loading.get(key);
}

/** Speaks another language, once what the pages need of it is there. */
async function speak(tag) {
  await Promise.all([...needed].map((part) => loaded(tag, part)));
  current = tag;
  setDocument(tag);
  changed();
}

/**
 * Begins to speak: in the visitor's language, in English where that cannot be had; throws where neither can. Calls
 * `onChange` at each change. Its locale is that of the visitor at once.
 */
export async function beginWords(onChange) {
  changed = onChange;
  current = visitorsLanguage() ?? ENGLISH;
  await speak(current).catch(() => speak(ENGLISH));
}

/** Loads a part of the words; throws where it can be had neither in this language nor in English. */
export async function readyWords(part = 'later') {
  needed.add(part);
  const tag = current;
  await loaded(tag, part).catch(() => loaded(ENGLISH, part));
  if (tag !== current) await readyWords(part); // which has changed meanwhile
}

/** Speaks what the visitor chooses, from now on; keeps to what it was where that cannot be had. */
export async function choose(tag) {
  await speak(tag);
  keepLanguage(tag);
}

/** Speaks an event's language where the browser asks for none that the pages have. */
export async function speakAs(tag) {
  if (tag === current || !LANGUAGES.includes(tag) || visitorsLanguage()) return;
  await speak(tag).catch(() => {}); // then English it is
}

/** Speaks with these messages, and throws for any that is missing: for tests, which have no browser. */
export function speakStrictly(tag, messages) {
  strict = true;
  current = tag;
  take(tag, messages);
}
