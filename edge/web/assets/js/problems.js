// What went wrong, in a sentence for people: what happened, and what to do.

import { timeText } from './format.js';

const TEXTS = {
  offline: 'The service cannot be reached just now. Please check your connection and try again.',
  'strange-network':
    'Something in this network answers in our place. Nothing was lost. ' +
    'If this network asks for a sign-in, open its page; else try another network, such as that of your phone.',
  'stripped-request':
    'Something in this network takes out a part of what this page sends. Nothing was lost. ' +
    'Mostly another network helps, such as that of your phone.',
  'malformed-input': 'Something in this request was not understood. Please check what you entered.',
  'not-admitted': 'You cannot come in yet.',
  'locked-out': 'Too many unusual requests came from this account, so it has to rest for a while.',
  'not-eligible': 'This sale is not open to your account.',
  forbidden: 'This belongs to somebody else.',
  'not-found': 'This does not exist, or no longer does.',
  'seats-taken': 'Somebody was faster: one of these seats has just been taken.',
  'single-seat': 'This would leave one seat alone. Please move by one.',
  'no-seats-found': 'No seats match this wish. Try fewer seats, another price or another section.',
  'wrong-state': 'This can no longer be done.',
  'version-conflict': 'Something changed in between. Please try again.',
  'hold-expired': 'The time for these seats ran out, and they were given back.',
  'session-expired': 'Your time to choose is over, and your seats were given back.',
  'sale-over': 'The sale is over.',
  'payment-waits': 'Many buyers are paying just now. Your seats are kept; please try again in a moment.',
  'payment-refused': 'This order can no longer be paid.',
  'idempotency-mismatch': 'This request was already made in another form. Please reload the page.',
  'limit-exceeded': 'That is more than one buyer may hold.',
  'too-early': 'That was a little early. The page tries again by itself.',
  'too-many-requests': 'That was a bit fast. Please wait a moment and try again.',
  'dependency-unavailable': 'The service is very busy. Nothing was lost; please try again in a moment.',
  unauthenticated: 'Please sign in.',
  'sign-in-ended': 'Your sign-in has ended. Please sign in again.',
  'link-ended': 'This link opens nothing. A link works for 24 hours: please ask for a new one.',
  'sign-in-refused': 'This sign-in took too long, or it was used before. Please sign in again.',
  'sign-in-unavailable': 'Signing in is not possible right now. Nothing was lost; please try again in a moment.',
  'nothing-kept':
    'Your browser keeps nothing for this site, so you would be a stranger here when you come back from signing in. ' +
    'Please allow cookies and site data for this site, or open it in another window or browser.',
  'waiting-token-ended': 'You had to be given a new place. The draw is the same.',
  internal: 'Something went wrong on our side. Nothing was charged. Please try again.'
};

// Whose detail says more than the text above.
const SAY_MORE = ['sign-in-refused', 'locked-out', 'not-admitted', 'not-eligible', 'payment-refused'];

/** Writes the moment that a problem names as the buyer's own clock shows it. */
function inLocalTime(detail, until) {
  return until ? detail.replace(/\b\d\d:\d\d(:\d\d)? UTC\b/, timeText(until)) : detail;
}

/** Puts an error into words: the service's detail where it says more, else ours. */
export function explain(error) {
  const detail = error.fields?.detail;
  if (error.code === 'limit-exceeded' && error.fields?.limit !== undefined) {
    return `${detail || TEXTS['limit-exceeded']} The limit is ${error.fields.limit}.`;
  }
  if (detail && error.fields.field) return detail;
  if (detail && error.code === 'wrong-state' && error.fields.reason) return detail;
  const until = error.fields?.settling_until || error.fields?.held_until;
  if (detail && (SAY_MORE.includes(error.code) || error.fields.possible || until)) return inLocalTime(detail, until);
  return TEXTS[error.code] || error.message || TEXTS.internal;
}
