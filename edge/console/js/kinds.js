// What an argument of an act is made of: which control suits it, and what of the control the act takes.

/** Arguments that name a file of the request. */
const FILES = {
  'event create': ['from', 'venue', 'logo', 'picture'],
  'event edit': ['from', 'logo', 'picture'],
  'event clone': ['logo', 'picture'],
  'venue validate': ['chart']
};

export const isFile = (act, name) => FILES[act]?.includes(name) ?? false;

const LINES = ['text', 'travel', 'seller_address'];
const TYPES = { contact_mail: 'email', contact_phone: 'tel', imprint: 'url', terms: 'url', privacy: 'url' };

/** Returns the kind of control: flag, choice, texts, map, list, moment, lines, color, zone, number or text. */
export function kindOf(name, schema) {
  if (schema.type === 'boolean') return 'flag';
  if (schema.enum) return 'choice';
  if (schema.type === 'object') return schema.additionalProperties?.type === 'object' ? 'texts' : 'map';
  if (schema.type === 'array') return 'list';
  if (['number', 'integer'].includes(schema.type)) return 'number';
  if (schema.type !== 'string') return 'text';
  if (/_(at|until)$/.test(name)) return 'moment';
  if (LINES.includes(name)) return 'lines';
  if (/^color_\d$/.test(name)) return 'color';
  return name === 'time_zone' ? 'zone' : 'text';
}

export const inputType = (name) => TYPES[name] ?? 'text';

/** Returns the word that stands for no value of an argument, such as "never"; "" where an empty text does. */
export const absentOf = (schema) => /; default (\S+)$/.exec(schema.description ?? '')?.[1] ?? '';

const isEmpty = (value) => value === undefined || value === null || value === '';

function pairs(text) {
  const lines = text
    .split('\n')
    .map((line) => line.split('='))
    .filter(([key, ...rest]) => key.trim() && rest.length);
  return Object.fromEntries(lines.map(([key, ...rest]) => [key.trim(), rest.join('=').trim()]));
}

/** Returns a control's value as the act takes it; undefined where nothing is given, or it cannot be read. */
export function read(name, schema, value) {
  if (isEmpty(value)) return undefined;
  const kind = kindOf(name, schema);
  if (kind === 'flag') return value;
  if (kind === 'number') return Number.isFinite(Number(value)) ? Number(value) : value;
  if (kind === 'list') {
    const parts = value.trim().split(/[\s,]+/);
    return parts[0] ? parts : undefined;
  }
  if (kind === 'texts') return typeof value === 'string' ? asJson(value) : value;
  if (kind !== 'map') return value;
  const given = typeof value === 'string' ? pairs(value) : value;
  const kept = Object.entries(given).filter(([, one]) => !isEmpty(one));
  return kept.length ? Object.fromEntries(kept) : undefined;
}

function asJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the act says what is wrong
  }
}

/** Says whether the value is written as the schema wants it. */
export function fits(schema, value) {
  if (isEmpty(value) || !schema.pattern) return true;
  return new RegExp(schema.pattern, 'u').test(String(value).trim());
}

const DEFAULT = /\s*\(default: ([^)]+)\)/;

/** Returns what an argument is where nothing is given, as its description says; else "". */
export const defaultOf = ({ description = '' }) => DEFAULT.exec(description)?.[1] ?? '';

const UNITS = [
  ['m(?:in)?', 'in seconds, or such as 10min'],
  ['%?', 'such as 19%']
];

/** Returns how a text with a pattern is written. */
export const unitOf = ({ pattern = '' }) => UNITS.find(([part]) => pattern.includes(part))?.[1];

const ADDS_NOTHING = new Set(['allowed', 'for', 'the']);
const wordsOf = (text) =>
  text
    .toLowerCase()
    .replaceAll("'s", '')
    .match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** Returns the description as a hint, with other fields called by `labelOf`; "" where the label says all of it. */
export function hintOf({ description = '' }, label, labelOf) {
  const plain = description
    .replace(DEFAULT, '')
    .replace(/; default \S+$/, '')
    .replace(/all --([a-z]+)… options/, 'all fields of the $1')
    .replace(/--([a-z0-9]+(?:-[a-z0-9]+)*)/g, (_, option) => `“${labelOf(option.replaceAll('-', '_'))}”`);
  const known = new Set(wordsOf(label));
  return wordsOf(plain).every((word) => known.has(word) || ADDS_NOTHING.has(word)) ? '' : plain;
}
