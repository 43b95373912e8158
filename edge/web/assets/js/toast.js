// One notice at a time, over the free space of the map: it moves nothing.

import { h, notice, show } from './dom.js';
import { say } from './words.js';

const SHORT_MS = 6000;
const LONG_MS = 12000; // what went wrong is read more slowly

export class Toasts {
  constructor() {
    this.element = h('div', { role: 'status', class: 'words' });
  }

  /** Shows a sentence until its time is over or it is closed; `stays`: until then only the latter. */
  show(kind, text, { stays = false } = {}) {
    clearTimeout(this.timer);
    const close = h('button', {
      class: 'quiet close',
      'aria-label': say('part-close-notice'),
      onclick: () => this.clear()
    });
    show(this.element, notice(kind, h('span', {}, text), close));
    const ms = kind === 'warn' || kind === 'bad' ? LONG_MS : SHORT_MS;
    if (!stays) this.timer = setTimeout(() => this.clear(), ms);
  }

  clear() {
    clearTimeout(this.timer);
    show(this.element);
  }
}
