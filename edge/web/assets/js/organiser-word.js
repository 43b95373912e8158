// What the organiser says to buyers now, in the page's language where it is there.

import { nowMs } from './clock.js';
import { language, say } from './words.js';

/** Returns the message to those who are `where`, 'waiting' or 'shopping'; '' if there is none now. */
export function organiserWord({ message, language: own }, where) {
  if (!message || Date.parse(message.until) <= nowMs() || !['all', where].includes(message.to)) return '';
  const { texts } = message;
  return say('event-word', { text: texts[language()] ?? texts[own] ?? texts.en ?? Object.values(texts)[0] });
}
