// The page of the waiting room: the buyer's place, what happens next, and that there is nothing to do.

import { mayPass } from './api.js';
import { identity, knownSub } from './auth.js';
import { dress } from './brand.js';
import { call, callButton } from './call.js';
import { loadEvent } from './catalog.js';
import { nowMs, secondsUntil } from './clock.js';
import { announce, every, h, nap, notice, show } from './dom.js';
import { refusal } from './eligibility.js';
import { clockText, dateText, estimateText, plural, soonText } from './format.js';
import { leavePlace, savedPlace } from './kept-place.js';
import { links } from './links.js';
import { failedPauseMs } from './pace.js';
import { showCard, showFailure, showPage } from './page.js';
import { countdown } from './parts.js';
import { explain } from './problems.js';
import { lineOf, roomLine } from './room-line.js';
import { followSale } from './room-news.js';
import { tab } from './store.js';
import { Waiting } from './waiting.js';
import { alone } from './windows.js';

const HEADINGS = {
  joining: 'Taking your place…',
  elsewhere: 'Another window holds your place',
  solving: 'A short check of your browser…',
  waiting: 'You are in the waiting room',
  prequeue: 'You are early, and your place is safe',
  asking: 'Asking whether you can come in…',
  paused: 'The sale is paused',
  full: 'You are nearly in',
  settling: 'Your last order is being settled',
  busy: 'The service is very busy',
  offline: 'The connection is lost',
  strange: 'Something in this network answers in our place',
  stripped: 'Something in this network takes out a part of what this page sends'
};

const OTHER_NETWORK = 'another network helps, such as that of your phone.';

const TEXTS = {
  joining: 'One moment.',
  elsewhere: 'Go on there. This one takes over by itself when that one is closed.',
  solving: 'Your device does a small piece of work, so that nobody can send thousands of robots.',
  waiting: 'Places are drawn fairly, and the longer you wait the better your chance. We let you in automatically.',
  prequeue: 'All who are here when the sale starts have the same chance: being first gains nothing.',
  asking: 'One moment.',
  paused: 'The organiser has stopped the line for a moment. You keep your place, and it goes on by itself.',
  full: 'All places inside are taken at this moment. They go in the order of the draw, so asking sooner helps nobody.',
  settling: 'You keep your place, and the page tries again by itself.',
  busy: 'Your place is safe. The page tries again by itself.',
  offline: 'Your place is safe on this device. The page goes on when the connection returns.',
  strange: `We try again; your place is safe. If this network asks for a sign-in, open its page; else ${OTHER_NETWORK}`,
  stripped: `Without it we cannot know your place. We try again; your place is safe. Mostly ${OTHER_NETWORK}`
};

const TICK_MS = 1000;
const REALLY = 'Really leave? Your place is given up';
const TURN = 'It is your turn';
const YOU_ARE_IN = 'You are in. Please choose your seats.';

const fact = (name, value, chief) => h('div', { class: chief && 'chief' }, h('dt', {}, name), h('dd', {}, value));

class WaitingRoom {
  constructor(event) {
    this.event = event;
    this.heading = h('h1', {});
    this.text = h('p', { class: 'lead' });
    this.facts = h('dl', { class: 'facts' });
    this.line = h('div', {});
    this.timer = h('div', {});
    this.detail = h('div', {});
    this.news = h('div', {});
    this.rest = h(
      'div',
      {},
      h(
        'ul',
        { class: 'hints' },
        h(
          'li',
          {},
          'Leave this page open. You may reload it, or lock the screen for a few minutes: you keep your place.'
        ),
        h('li', {}, 'Refreshing, more windows or a faster line do not help anyone.')
      ),
      h('div', { class: 'buttons' }, callButton(), this.leaveButton())
    );
    this.told = '';
    this.element = h(
      'section',
      { class: 'card narrow wait' },
      h('p', { class: 'dim' }, event.name),
      this.heading,
      this.text,
      this.timer,
      this.facts,
      this.line,
      this.detail,
      this.news,
      this.rest
    );
    this.phase = 'joining';
  }

  /** Asks once more before the place is given up. */
  leaveButton() {
    const button = h('button', { class: 'quiet' }, 'Leave the waiting room');
    button.addEventListener('click', ({ detail: clicks }) => {
      if (button.textContent !== REALLY) {
        button.textContent = REALLY;
        announce(REALLY);
      } else if (clicks < 2) {
        leavePlace(this.event.event); // not at a double click, which has read nothing
        location.hash = links.event(this.event.event);
      }
    });
    return button;
  }

  /** Shows a phase of waiting.js, and has it spoken where something changed. */
  update({ phase, place, text, order }) {
    // Before the sale starts the page asks now and then, too: it renews its token, and shows nothing of it.
    const idle = phase === 'waiting' || phase === 'asking';
    const early = idle && place?.state === 'prequeue' && secondsUntil(this.saleStartsAt(place)) > 0;
    const previous = this.phase;
    this.phase = early ? 'prequeue' : phase;
    if (place?.estimate !== this.place?.estimate) this.estimatedMs = nowMs();
    this.place = place;
    // Asking takes a blink; a heading that flickers worries people.
    if (this.phase !== 'asking' || previous === 'joining') {
      this.heading.textContent = HEADINGS[this.phase];
      this.text.textContent = TEXTS[this.phase];
    }
    show(this.detail, text && notice('info', `${text} `, order && orderLink(order)));
    const estimate = estimateText(place?.estimate);
    const sentence = HEADINGS[this.phase] + (this.phase === 'waiting' && estimate ? `: ${estimate}` : '');
    if (!['asking', 'joining'].includes(this.phase) && sentence !== this.spoken) {
      this.spoken = sentence;
      announce(sentence);
    }
    this.rest.hidden = this.phase === 'elsewhere'; // what it says is that window's to say
    this.tick();
  }

  /** Shows what is new of the sale, and has it spoken; '' takes it away. */
  tell(text) {
    if (text === this.told) return;
    this.told = text;
    show(this.news, text && notice('warn', text));
    if (text) announce(text);
  }

  /** Returns when the sale starts, as an RFC 3339 time. */
  saleStartsAt(place) {
    return place?.sale_starts_at ?? this.event.sale_starts_at;
  }

  tick() {
    const { phase, place } = this;
    if (!place || ['joining', 'solving', 'elsewhere'].includes(phase)) {
      show(this.facts);
      show(this.line);
      show(this.timer);
      return;
    }
    const early = phase === 'prequeue';
    const guessed = !early && !['paused', 'full', 'strange', 'stripped'].includes(phase);
    const left = secondsUntil(this.saleStartsAt(place));
    const line = guessed && lineOf(place, this.estimatedMs, nowMs());
    show(this.line, line && roomLine(line));
    show(this.timer, early && left > 0 && [h('p', { class: 'dim' }, 'The sale starts in'), countdown(left)]);
    show(
      this.facts,
      guessed && fact('Your wait from now', estimateText(place.estimate) || 'not known yet', true),
      early
        ? fact('The sale starts', dateText(this.saleStartsAt(place), this.event.time_zone))
        : fact('Waiting for', clockText((nowMs() - place.joined_ms) / 1000)),
      fact('Next look', phase === 'asking' ? 'now' : soonText(secondsUntil(place.boff)))
    );
  }
}

const orderLink = (order) => h('a', { href: links.order(order) }, 'See your order');

const allEvents = () => h('a', { class: 'button', href: links.events }, 'All events');

function showEnd(title, heading, text) {
  showCard(title, heading, h('p', { class: 'lead' }, text), allEvents());
  announce(heading);
}

function showSaleOver(error) {
  const state = error.fields?.state;
  if (state === 'draining') {
    const full = 'The waiting room is full';
    const sorry = 'Buyers who already wait are still admitted. We are sorry that you came too late this time.';
    showEnd(full, full, `Nobody new is taken in. ${sorry}`);
  } else if (state === 'soldout') {
    const sorry = 'We are sorry that it was not you this time; you were part of a fair draw.';
    showEnd('The sale is over', 'Sold out', `Every seat has found somebody. ${sorry}`);
  } else {
    const closed = 'The sale has ended. Thank you for waiting.';
    showEnd('The sale is over', 'The sale is over', closed);
  }
}

function showLockedOut(error) {
  const wait = error.retryAfterS;
  const inWords = wait < 90 ? plural(wait, 'second') : plural(Math.ceil(wait / 60), 'minute');
  const advice = wait
    ? `You can come back in ${inWords}. Until then, please keep one window open and do not refresh.`
    : 'Please use one window and do not refresh; the page asks by itself.';
  const title = 'Please take a break';
  showCard(title, title, notice('warn', explain(error)), h('p', {}, advice), allEvents());
}

/** Shows that no session is left, while what became of the last one is being found out. */
function showSettling(error) {
  const toOrder = h('a', { class: 'button primary', href: links.order(error.fields.order) }, 'See your order');
  const buttons = h('div', { class: 'buttons' }, toOrder, allEvents());
  showCard(HEADINGS.settling, HEADINGS.settling, notice('info', explain(error)), buttons);
}

function showUsedUp() {
  const title = 'You cannot come in again';
  const text = 'You have used all your sessions for this event, and would wait in vain.';
  const orders = h('a', { class: 'button primary', href: links.orders }, 'My orders');
  showCard(title, title, notice('warn', text), h('div', { class: 'buttons' }, orders, allEvents()));
  announce(title);
}

/** Shows that the event is not open to this account; nobody waits for what they cannot have. */
function showNotEligible(event, text) {
  const title = 'This sale is not open to your account';
  const toEvent = h('a', { class: 'button primary', href: links.event(event.event) }, 'Back to the event');
  showCard(title, title, notice('warn', text), h('div', { class: 'buttons' }, toEvent, allEvents()));
  announce(title);
}

/**
 * Reads the event, again and again while it cannot be had. A buyer who has a place goes on without it: the gate alone
 * decides.
 */
async function eventOf(id, signal) {
  for (let failures = 1; ; failures++) {
    try {
      return await loadEvent(id, signal, { retry: false });
    } catch (error) {
      if (!mayPass(error)) throw error;
      const place = savedPlace(id);
      if (place) return { event: id, name: id, sale_starts_at: place.sale_starts_at };
      showFailure(error, 'We try again by ourselves.');
      await nap(failedPauseMs(failures), signal);
    }
  }
}

export async function open(signal, id) {
  const event = await eventOf(id, signal);
  dress(event);
  const refused = refusal(event, identity()?.account);
  if (refused) {
    showNotEligible(event, refused);
    return;
  }
  const room = new WaitingRoom(event);
  showPage(`Waiting room: ${event.name}`, room.element);
  room.update({ phase: 'joining' });
  every(TICK_MS, signal, () => room.tick());
  // A sale that is over ends the wait. The place stays on the device: seats may come back, and it goes on then.
  const over = new AbortController();
  const ended = over.signal;
  signal.addEventListener('abort', () => over.abort());
  followSale(id, { show: (text) => room.tell(text), estimate: () => room.place?.estimate, signal: ended }).then(
    ({ state }) => {
      over.abort();
      showSaleOver({ fields: { state } });
    },
    () => {} // the page moved on
  );
  alone(`fairgate:wait:${id}:${knownSub()}`, {
    signal: ended,
    elsewhere: () => room.update({ phase: 'elsewhere' }),
    task: (mine) => new Waiting(id, (state) => room.update(state), mine).run()
  })
    .then(() => {
      over.abort();
      // Who was inside already, here or by another window, needs no call.
      if (!['joining', 'elsewhere'].includes(room.phase)) {
        call(TURN, YOU_ARE_IN);
        tab.set('turn', id);
      }
      announce(YOU_ARE_IN);
      location.hash = links.sale(id);
    })
    .catch((error) => {
      if (ended.aborted || error.name === 'AbortError') return;
      over.abort();
      if (error.code === 'sale-over') showSaleOver(error);
      else if (error.code === 'locked-out') showLockedOut(error);
      else if (error.code === 'not-eligible') showNotEligible(event, explain(error));
      else if (error.fields?.settling_until) showSettling(error);
      else if (error.fields?.sessions_left === 0) showUsedUp();
      else showFailure(error);
    });
}
