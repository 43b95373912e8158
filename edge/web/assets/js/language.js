// The languages of the pages, and which of them a visitor reads. early.js needs this before anything else is there.

import { device } from './store.js';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'ja', 'ar'];

/** Returns what was chosen here, else the first of the browser's languages that the pages have; null without any. */
export function visitorsLanguage() {
  const asked = [device.get('language'), ...(navigator.languages ?? [])];
  return asked.map((tag) => String(tag).split('-')[0].toLowerCase()).find((tag) => LANGUAGES.includes(tag)) ?? null;
}

export const dirOf = (language) => (language === 'ar' ? 'rtl' : 'ltr');

/** Has the document be of a language: until it is, its header is hidden, which would move to the other side. */
export function setDocument(language) {
  document.documentElement.lang = language;
  document.documentElement.dir = dirOf(language);
}

/** Keeps what the visitor chose. */
export const keepLanguage = (language) => device.set('language', language);
