// The languages of the pages, and which of them a visitor reads. early.js needs this before anything else is there.

import { device } from './store.js';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'ja', 'ar'];

/** Returns what was chosen here, else the first of the browser's languages that the pages have; null without any. */
export function visitorsLanguage() {
  const asked = [device.get('language'), ...(navigator.languages ?? [])];
  return asked.map((tag) => String(tag).split('-')[0].toLowerCase()).find((tag) => LANGUAGES.includes(tag)) ?? null;
}

/** Keeps what the visitor chose. */
export const keepLanguage = (language) => device.set('language', language);
