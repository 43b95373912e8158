// A buyer's turn has come: what their time is, what to do with it, and the way to the seats. Their time runs.

import { dress } from './brand.js';
import { call, hush } from './call.js';
import { loadEvent } from './catalog.js';
import { announce, h } from './dom.js';
import { clockText, durationText, timeText } from './format.js';
import { Basket } from './holds.js';
import { links } from './links.js';
import { showPage } from './page.js';
import { showSessionOver } from './session-over.js';
import { tab } from './store.js';
import { say } from './words.js';

const TICK_MS = 500;
const CALLS_S = [300, 120, 60]; // who is not here yet is called again when so much is left
const LATE_S = 3; // a tab that slept calls when it wakes, and says what is left then

function step(id, args) {
  return h('li', {}, say(id, args));
}

/** The page: when the time ends, how much is left in large figures, one button, and what to do. */
function turnCard(event, session, clock) {
  const until = timeText(session.expires_at);
  const came = tab.get(`in:${session.session}`);
  const times = came ? say('in-since', { from: timeText(came), until }) : say('in-until', { until });
  return h(
    'div',
    { class: 'narrow' },
    h(
      'section',
      { class: 'card turn' },
      h('p', {}, h('bdi', {}, event.name)),
      h('h1', {}, say('in-heading')),
      h('p', {}, times),
      clock,
      h('a', { class: 'button primary big', href: links.sale(event.event) }, say('in-choose'))
    ),
    h(
      'section',
      { class: 'card steps' },
      h('h2', {}, say('in-steps')),
      h(
        'ol',
        {},
        step('in-step-choose', { limit: session.hold_limit }),
        step('in-step-hold'),
        step('in-step-pay', { time: durationText(event.checkout_s) })
      ),
      h('p', { class: 'dim small' }, say('in-ends'))
    )
  );
}

/** Calls again each time that little more is left, until the buyer goes on. */
class Calls {
  constructor(left) {
    this.due = CALLS_S.filter((seconds) => seconds < left);
  }

  tick(left) {
    const passed = this.due.filter((seconds) => left <= seconds);
    if (!passed.length) return;
    this.due.splice(0, passed.length);
    const seconds = passed[passed.length - 1];
    const time = left > seconds - LATE_S ? durationText(seconds) : clockText(left);
    const text = say('sale-time-left', { time });
    announce(text);
    call(say('wait-turn'), text);
  }
}

export async function open(signal, id) {
  const [event, basket] = await Promise.all([loadEvent(id, signal), Basket.liveOrNull(id, signal)]);
  dress(event);
  if (basket?.session.state === 'checkout') {
    location.replace(links.checkout(id));
    return;
  }
  if (basket?.session.state !== 'reservation') {
    await showSessionOver(id, signal, say(basket ? 'session-ended' : 'session-none'));
    return;
  }
  const figures = h('b', {});
  const clock = h('p', { class: 'turn-clock', role: 'timer', 'aria-label': say('sale-time') }, figures);
  const title = say('in-title', { event: event.name });
  const calls = new Calls(basket.secondsLeft);
  const tick = () => {
    const left = basket.secondsLeft;
    const time = clockText(left);
    figures.textContent = time;
    if (!document.title.startsWith('●')) document.title = `${time} – ${title} – Fairgate`; // seen in another tab, too
    if (left > 0) {
      calls.tick(left);
      return;
    }
    clearInterval(timer);
    hush();
    showSessionOver(id, signal);
  };
  showPage(title, turnCard(event, basket.session, clock));
  const timer = setInterval(tick, TICK_MS); // a hidden page counts as well: the time does not stop for it
  signal.addEventListener('abort', () => clearInterval(timer));
  tick();
}
