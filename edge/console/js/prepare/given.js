// What a draft or a changed form gives to an act.

import { absentOf, isFile, kindOf, read } from '../kinds.js';

/** "2030-12-13T20:00" by the clocks of a zone: the moment in UTC, as an act takes it. */
export function utcOf(zone, local) {
  const typed = Date.parse(`${local}Z`);
  if (Number.isNaN(typed)) return local;
  let moment = typed;
  for (let n = 0; n < 2; n++) moment = typed - (Date.parse(`${localIn(zone, moment)}Z`) - moment);
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

/** Returns a time of an event as an act takes it: by its clocks, or in UTC where it has none. */
export const inZoneOf = ({ starts_at: start, time_zone: zone }, local) => (start && zone ? local : utcOf(zone, local));

/** An event without a date has no zone: its other times are sent in UTC. */
function zoned(properties, given, values) {
  const isMoment = (name, value) => kindOf(name, properties[name]) === 'moment' && /^\d/.test(value);
  const moments = Object.entries(given).filter(([name, value]) => isMoment(name, value));
  return { ...given, ...Object.fromEntries(moments.map(([name, value]) => [name, inZoneOf(values, value)])) };
}

/** Returns the arguments of a draft's values, without files. */
export function argumentsOf(act, properties, values) {
  const names = Object.keys(properties).filter((name) => !isFile(act, name) && name !== 'publish');
  const all = names.map((name) => [name, read(name, properties[name], values[name])]);
  const given = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  if (!values.starts_at) delete given.time_zone; // it belongs to the date
  return zoned(properties, given, values);
}

const same = (one, other) => JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

/** Returns the arguments that say what of a form was changed; what was emptied says that it is none. */
export function changesOf(act, properties, before, values) {
  const changed = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (isFile(act, name) || same(before[name], values[name])) continue;
    const kind = kindOf(name, schema);
    if (kind === 'map') {
      const tiers = Object.entries(values[name] ?? {}).filter(([tier, one]) => one && one !== before[name]?.[tier]);
      if (tiers.length) changed[name] = Object.fromEntries(tiers);
      continue;
    }
    const value = read(name, schema, values[name]);
    if (value !== undefined) changed[name] = value;
    else if (kind === 'texts') changed[name] = {};
    else if (schema.type === 'string') changed[name] = absentOf(schema);
    else changed[name] = 0;
  }
  return zoned(properties, changed, values);
}

/** Returns a zone's name that this browser knows; UTC in the place of any other. */
function known(zone) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone || 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** "2030-12-13T19:00:00.000Z" by the clocks of a zone: "2030-12-13T20:00", as a control has it. */
export function localIn(zone, moment) {
  if (!moment) return '';
  const options = { dateStyle: 'short', timeStyle: 'medium', timeZone: known(zone) };
  const text = new Intl.DateTimeFormat('sv-SE', options).format(new Date(moment)); // ISO's order
  return text.replace(' ', 'T').replace(/:00$/, '');
}
