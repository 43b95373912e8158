// What went wrong, in a sentence for people: what happened, and what to do.

import { timeText } from './format.js';
import { has, language, say } from './words.js';

// Whose detail says more than our text.
const SAY_MORE = ['sign-in-refused', 'locked-out', 'not-admitted', 'not-eligible', 'payment-refused'];

/** Writes the moment that a problem names as the buyer's own clock shows it. */
function inLocalTime(detail, until) {
  return until ? detail.replace(/\b\d\d:\d\d(:\d\d)? UTC\b/, timeText(until)) : detail;
}

/** Returns our own text of a problem; undefined where we have none. */
const textOf = (code) => (has(`problem-${code}`) ? say(`problem-${code}`) : undefined);

/** Returns what the service itself says where it says more than our text; undefined where it does not. */
function detailOf({ code, fields }) {
  const { detail, field, reason, possible, limit, settling_until: settling, held_until: held } = fields ?? {};
  const until = settling || held;
  const more = SAY_MORE.includes(code) || field || possible || until || (code === 'wrong-state' && reason);
  if (!detail || !(more || (code === 'limit-exceeded' && limit !== undefined))) return undefined;
  return field ? detail : inLocalTime(detail, until);
}

/** Returns what the service says, which is English, where the page speaks it; else ''. */
export const ifEnglish = (detail) => (language() === 'en' && detail) || '';

/** Puts an error into words: the service's detail, which is English, where it says more, else ours. */
export function explain(error) {
  const { code, fields = {} } = error;
  const own = textOf(code);
  const detail = detailOf(error);
  const until = fields.settling_until || fields.held_until;
  let text = ifEnglish(detail) || own || detail || error.message || say('problem-internal');
  if (until && text !== detail) text = say('problem-until', { text, time: timeText(until) });
  if (code === 'limit-exceeded' && fields.limit !== undefined)
    return say('problem-limit-is', { text, limit: fields.limit });
  return text;
}
