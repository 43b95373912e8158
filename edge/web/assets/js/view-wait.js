// The waiting room's looks: where one stands, what happens next, and that nothing needs doing.

import { loadEvent } from './catalog.js';
import { nowMs, secondsUntil } from './clock.js';
import { announce, every, h, notice, show } from './dom.js';
import { clockText, countdownParts, dateText, estimateText, plural, soonText } from './format.js';
import { failed, page } from './main.js';
import { explain } from './problems.js';
import { leavePlace, Waiting } from './waiting.js';

const HEADINGS = {
  joining: 'Taking your place…',
  solving: 'A short check of your browser…',
  waiting: 'You are in the waiting room',
  prequeue: 'You are early, and your place is safe',
  asking: 'Asking whether it is your turn…',
  paused: 'The sale is paused',
  full: 'It is nearly your turn',
  busy: 'The service is very busy',
  offline: 'The connection is lost'
};

const TEXTS = {
  joining: 'One moment.',
  solving: 'Your device does a small piece of work, so that nobody can send thousands of robots.',
  waiting: 'Places are drawn fairly, and the longer you wait the better your chance. We let you in automatically.',
  prequeue: 'All who are here when the sale opens start level: being first gains nothing.',
  asking: 'One moment.',
  paused: 'The organiser has stopped the line for a moment. You keep your place, and it goes on by itself.',
  full: 'All places inside are taken at this moment. The page tries again by itself.',
  busy: 'Your place is safe. The page tries again by itself.',
  offline: 'Your place is safe on this device. The page goes on when the connection returns.'
};

class Room {
  constructor(event) {
    this.event = event;
    this.heading = h('h1', {});
    this.text = h('p', { class: 'lead' });
    this.facts = h('dl', { class: 'facts' });
    this.timer = h('div', {});
    this.detail = h('div', {});
    this.element = h(
      'section',
      { class: 'card narrow wait' },
      h('p', { class: 'dim' }, event.name),
      h('div', { class: 'pulse', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
      this.heading,
      this.text,
      this.timer,
      this.facts,
      this.detail,
      h(
        'ul',
        { class: 'hints' },
        h('li', {}, 'Leave this page open. You may lock the screen or reload: you keep your place.'),
        h('li', {}, 'Refreshing, more windows or a faster line do not help anyone.')
      ),
      h('button', { class: 'quiet', onclick: () => this.leave() }, 'Leave the waiting room')
    );
    this.phase = 'joining';
  }

  leave() {
    leavePlace(this.event.event);
    location.hash = `#/e/${encodeURIComponent(this.event.event)}`;
  }

  hear({ phase, place, text }) {
    const early = phase === 'waiting' && place?.state === 'prequeue' && secondsUntil(this.opens(place)) > 0;
    const was = this.phase;
    this.phase = early ? 'prequeue' : phase;
    this.place = place;
    // Asking takes a blink; a heading that flickers worries people.
    if (this.phase !== 'asking' || was === 'joining') {
      this.heading.textContent = HEADINGS[this.phase];
      this.text.textContent = TEXTS[this.phase];
    }
    show(this.detail, text && notice('info', text));
    const estimate = estimateText(place?.estimate);
    const sentence = HEADINGS[this.phase] + (this.phase === 'waiting' && estimate ? `: ${estimate}` : '');
    if (!['asking', 'joining'].includes(this.phase) && sentence !== this.spoken) {
      this.spoken = sentence;
      announce(sentence);
    }
    this.tick();
  }

  opens(place) {
    return place?.opens_at ?? this.event.sale_opens_at;
  }

  tick() {
    const place = this.place;
    if (!place || ['joining', 'solving'].includes(this.phase)) {
      show(this.facts);
      show(this.timer);
      return;
    }
    const fact = (name, value, chief) => h('div', { class: chief && 'chief' }, h('dt', {}, name), h('dd', {}, value));
    const early = this.phase === 'prequeue';
    const left = secondsUntil(this.opens(place));
    show(
      this.timer,
      early &&
        left > 0 && [
          h('p', { class: 'dim' }, 'The sale opens in'),
          h(
            'div',
            { class: 'countdown', role: 'timer' },
            countdownParts(left).map(([n, unit]) =>
              h('span', { class: 'count' }, h('b', {}, String(n).padStart(2, '0')), h('small', {}, unit))
            )
          )
        ]
    );
    const estimate = estimateText(place.estimate);
    show(
      this.facts,
      !early && this.phase !== 'paused' && fact('Your wait from now', estimate || 'not known yet', true),
      early
        ? fact(
            'Doors',
            dateText(
              new Date(
                typeof this.opens(place) === 'number' ? this.opens(place) * 1000 : this.opens(place)
              ).toISOString()
            )
          )
        : fact('Waiting for', clockText((nowMs() - place.joined_ms) / 1000)),
      fact('Next look', this.phase === 'asking' ? 'now' : soonText(secondsUntil(place.boff)))
    );
  }
}

function full() {
  page(
    'The waiting room is full',
    h(
      'section',
      { class: 'card narrow' },
      h('h1', {}, 'The waiting room is full'),
      h(
        'p',
        { class: 'lead' },
        'Nobody new is taken in. Whoever waits already is still let in. We are sorry that you came too late this time.'
      ),
      h('a', { class: 'button', href: '#/' }, 'All events')
    )
  );
  announce('The waiting room is full');
}

function over(error) {
  const soldOut = error.fields?.state === 'soldout';
  if (error.fields?.state === 'draining') return full();
  page(
    'The sale is over',
    h(
      'section',
      { class: 'card narrow' },
      h('h1', {}, soldOut ? 'Sold out' : 'The sale is over'),
      h(
        'p',
        { class: 'lead' },
        soldOut
          ? 'Every seat has found somebody. We are sorry that it was not you this time; you were part of a fair draw.'
          : 'The organiser has closed the sale. Thank you for waiting.'
      ),
      h('a', { class: 'button', href: '#/' }, 'All events')
    )
  );
  announce(soldOut ? 'Sold out' : 'The sale is over');
}

function lockedOut(error) {
  const wait = error.retryAfterS;
  page(
    'Please take a break',
    h(
      'section',
      { class: 'card narrow' },
      h('h1', {}, 'Please take a break'),
      notice('warn', explain(error)),
      h(
        'p',
        {},
        wait
          ? `You can come back in ${wait < 90 ? plural(wait, 'second') : plural(Math.ceil(wait / 60), 'minute')}. Until then, please keep one window open and do not refresh.`
          : 'Please use one window and do not refresh; the page asks by itself.'
      ),
      h('a', { class: 'button', href: '#/' }, 'All events')
    )
  );
}

/** One tab of a browser asks for the place; the others would be sent away as too early. */
function alone(event, signal, task) {
  if (!navigator.locks) return task();
  return navigator.locks.request(`fairgate:wait:${event}`, { signal }, task);
}

export async function open(signal, id) {
  const event = await loadEvent(id, signal);
  const room = new Room(event);
  page(`Waiting room: ${event.name}`, room.element);
  room.hear({ phase: 'joining' });
  every(1000, signal, () => room.tick());
  const elsewhere = setTimeout(() => {
    if (room.phase === 'joining')
      show(
        room.detail,
        notice('info', 'If the waiting room is open in another window, please go on there: it holds your place.')
      );
  }, 4000);
  signal.addEventListener('abort', () => clearTimeout(elsewhere));
  alone(id, signal, async () => {
    await new Waiting(id, (news) => room.hear(news), signal).run();
    announce('It is your turn. Please choose your seats.');
    location.hash = `#/e/${encodeURIComponent(id)}/sale`;
  }).catch((error) => {
    if (signal.aborted || error.name === 'AbortError') return;
    if (error.code === 'sale-over') over(error);
    else if (error.code === 'locked-out') lockedOut(error);
    else failed(error);
  });
}
