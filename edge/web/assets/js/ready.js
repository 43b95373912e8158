// What a buyer should have at hand when their turn comes, and the limits of an event, a sentence each. What an event
// that could not be read does not tell is left out.

import { durationText } from './format.js';
import { say } from './words.js';

export const readyTexts = (event) => [say('ready-pay'), event.ask_address && say('ready-address'), say('ready-wishes')];

export function limitTexts({ user_limit: limit, session_s: choose, checkout_s: pay }) {
  return [
    limit && say('ready-limit', { limit }),
    choose && pay && say('ready-times', { choose: durationText(choose), pay: durationText(pay) })
  ];
}
