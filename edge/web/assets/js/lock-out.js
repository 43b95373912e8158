// What a buyer who is locked out reads: why, until when, and how to ask that a person looks.

import { announce, field, h, notice, show } from './dom.js';
import { explain, ifEnglish } from './problems.js';
import { say } from './words.js';

const TEXT_MAX = 500; // as the service takes it

const reasonOf = ({ by, noticed }) =>
  by === 'person' ? say('wait-lock-person', { reason: noticed }) : ifEnglish(noticed) || say('problem-locked-out');

/** A part of the waiting room's page; `ask(text)` sends an appeal, and rejects where it was not taken. */
export class LockOut {
  constructor(ask) {
    this.ask = ask;
    this.element = h('div', {});
    this.shown = '';
  }

  /** Shows a lock-out, or nothing. What is typed stays while it is the same. */
  update(lock) {
    this.element.hidden = !lock;
    const { until, by, noticed, appealed } = lock ?? {};
    const shown = JSON.stringify([until, by, noticed, appealed]);
    if (!lock || shown === this.shown) return;
    this.shown = shown;
    show(this.element, notice('warn', reasonOf(lock)), appealed ? this.asked() : this.form());
  }

  asked() {
    return notice('info', say('wait-appealed'));
  }

  form() {
    const text = h('textarea', { id: 'appeal', rows: 3, maxlength: TEXT_MAX, autocomplete: 'off' });
    const problem = h('div', { role: 'alert' });
    const button = h('button', { type: 'submit' }, say('wait-appeal-ask'));
    const send = async (submitted) => {
      submitted.preventDefault();
      button.disabled = true;
      show(problem);
      try {
        await this.ask(text.value.trim());
        announce(say('wait-appealed'));
      } catch (error) {
        button.disabled = false;
        if (error.name !== 'AbortError') show(problem, notice('bad', explain(error)));
      }
    };
    return h('form', { class: 'appeal', onsubmit: send }, field(say('wait-appeal-text'), text), problem, button);
  }
}
