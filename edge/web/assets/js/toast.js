// One notice at a time, over the free space of the map: it moves nothing.

import { h, notice, show } from './dom.js';
import { say } from './words.js';

const SHORT_MS = 6000;
const LONG_MS = 12000; // what went wrong is read more slowly

export class Toasts {
  /** `focus` is called when the focus was in what goes away. */
  constructor(focus) {
    this.focus = focus;
    this.element = h('div', { role: 'status', class: 'words' });
  }

  get shown() {
    return this.element.childElementCount > 0;
  }

  /**
   * Shows a sentence until its time is over or it is closed; `stays`: until then only the latter. `action`, {text,
   * label, act}, is offered with it.
   */
  show(kind, text, { stays = false, action } = {}) {
    this.clear();
    this.text = text;
    const close = h('button', {
      class: 'quiet close',
      'aria-label': say('part-close-notice'),
      onclick: () => this.clear()
    });
    const press = () => {
      this.clear();
      action.act();
    };
    const button = action && h('button', { 'aria-label': action.label, onclick: press }, action.text);
    show(this.element, notice(kind, h('span', {}, text), button, close));
    const ms = action || kind === 'warn' || kind === 'bad' ? LONG_MS : SHORT_MS;
    if (!stays) this.timer = setTimeout(() => this.clear(), ms);
  }

  clear() {
    clearTimeout(this.timer);
    const focused = this.element.contains(document.activeElement);
    show(this.element);
    this.text = '';
    if (focused) this.focus?.();
  }
}
