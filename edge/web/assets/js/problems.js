// What went wrong, in a sentence for people: what happened, and what to do.

import { dateText, timeText } from './format.js';
import { has, language, say } from './words.js';

/** Returns what the service says, which is English, where the page speaks it; else ''. */
export const ifEnglish = (detail) => (language() === 'en' && detail) || '';

/** Returns what only the service's detail tells: what is wrong with a field, or what locked an account out. */
const detailOf = ({ code, fields }) => (fields.field || code === 'locked-out') && ifEnglish(fields.detail);

/** Returns our own text of a problem, by what it is about where there is one, else by its code; else undefined. */
function textOf({ code, fields }) {
  const { reason, field, until, settling_until: settling } = fields;
  const about = settling ? 'settling' : reason || field?.replace(/\..*/, '-part');
  const ends = [...(about && until ? [`-${about}-until`] : []), ...(about ? [`-${about}`] : []), ''];
  const end = ends.find((one) => has(`problem-${code}${one}`));
  return end === undefined ? undefined : say(`problem-${code}${end}`, { date: until && dateText(until) });
}

/** Lists what there would be instead. */
const possibleOf = ({ possible = {} }) =>
  Object.entries(possible)
    .filter(([what]) => has(`problem-possible-${what}`))
    .map(([what, value]) => say(`problem-possible-${what}`, { what: String(value) }));

/** Puts an error into words. What the service says is English, so it comes last. */
export function explain({ code, fields = {}, message }) {
  const error = { code, fields };
  const { detail, limit } = fields;
  const own = detailOf(error) || textOf(error);
  const text = [own || detail || message || say('problem-internal'), ...possibleOf(fields)].join(' ');
  const until = fields.settling_until || fields.held_until;
  if (own && until) return say('problem-until', { text, time: timeText(until) });
  if (code === 'limit-exceeded' && limit !== undefined) return say('problem-limit-is', { text, limit });
  return text;
}
