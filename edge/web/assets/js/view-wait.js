// The page of the waiting room: the buyer's place, what happens next, and that there is nothing to do.

import { mayPass } from './api.js';
import { identity, knownSub } from './auth.js';
import { dress } from './brand.js';
import { call, callButton } from './call.js';
import { loadEvent } from './catalog.js';
import { nowMs, secondsUntil } from './clock.js';
import { announce, every, h, nap, notice, show } from './dom.js';
import { refusal } from './eligibility.js';
import { clockText, dateText, estimateText, soonText, timeText } from './format.js';
import { leavePlace, savedPlace } from './kept-place.js';
import { links } from './links.js';
import { LockOut } from './lock-out.js';
import { failedPauseMs } from './pace.js';
import { showCard, showFailure, showPage } from './page.js';
import { askTwice, countdown } from './parts.js';
import { explain } from './problems.js';
import { RoomBeside } from './room-beside.js';
import { lineOf, roomLine } from './room-line.js';
import { followSale } from './room-news.js';
import { tab } from './store.js';
import { Waiting } from './waiting.js';
import { alone } from './windows.js';
import { say } from './words.js';

const TICK_MS = 1000;
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
    this.waiting = null; // what waits, once it does
    this.lockOut = new LockOut((text) => this.waiting.appeal(text));
    this.news = h('div', {});
    this.rest = h(
      'div',
      {},
      h('ul', { class: 'hints' }, h('li', {}, say('wait-hint-open')), h('li', {}, say('wait-hint-windows'))),
      h('div', { class: 'buttons' }, callButton(), this.leaveButton())
    );
    this.told = [];
    this.element = h(
      'section',
      { class: 'card wait' },
      h('p', { class: 'dim' }, h('bdi', {}, event.name)),
      this.heading,
      this.text,
      this.timer,
      this.facts,
      this.line,
      this.detail,
      this.lockOut.element,
      this.news,
      this.rest
    );
    this.phase = 'joining';
  }

  /** Asks once more before the place is given up. */
  leaveButton() {
    const button = h('button', { class: 'quiet' }, say('wait-leave'));
    askTwice(button, {
      ask: () => {
        button.textContent = say('wait-really-leave');
      },
      act: () => {
        leavePlace(this.event.event);
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
    const locked = phase === 'asking' && place?.lock; // it stays until the answer
    this.phase = early ? 'prequeue' : locked ? 'locked' : phase;
    if (place?.estimate !== this.place?.estimate) this.estimatedMs = nowMs();
    this.place = place;
    // Asking takes a blink; a heading that flickers worries people.
    if (this.phase !== 'asking' || previous === 'joining') {
      this.heading.textContent = say(`wait-heading-${this.phase}`);
      this.text.textContent = say(`wait-text-${this.phase}`);
    }
    this.lockOut.update(this.phase === 'locked' && place.lock);
    show(this.detail, text && notice('info', `${text} `, order && orderLink(order)));
    const estimate = estimateText(place?.estimate);
    const heading = say(`wait-heading-${this.phase}`);
    const guessed = this.phase === 'waiting' && estimate;
    const sentence = guessed ? say('wait-says-estimate', { heading, estimate }) : heading;
    if (!['asking', 'joining'].includes(this.phase) && sentence !== this.spoken) {
      this.spoken = sentence;
      announce(sentence);
    }
    this.rest.hidden = this.phase === 'elsewhere'; // what it says is that window's to say
    this.tick();
  }

  /** Shows the news of the sale, and has spoken what was not among them before. */
  tell(texts) {
    const text = texts.join(' ');
    if (text === this.told.join(' ')) return;
    const added = texts.filter((one) => !this.told.includes(one));
    this.told = texts;
    show(this.news, text && notice('warn', text));
    if (added.length) announce(added.join(' '));
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
    const guessed = !early && !['paused', 'full', 'locked', 'strange', 'stripped'].includes(phase);
    const left = secondsUntil(this.saleStartsAt(place));
    const line = guessed && lineOf(place, this.estimatedMs, nowMs());
    show(this.line, line && roomLine(line));
    const lockedS = phase === 'locked' ? secondsUntil(place.lock.until) : 0;
    show(
      this.timer,
      early && left > 0 && [h('p', { class: 'dim' }, say('wait-starts-in')), countdown(left)],
      lockedS > 0 && [h('p', { class: 'dim' }, say('wait-lock-ends')), countdown(lockedS)]
    );
    show(
      this.facts,
      guessed && fact(say('wait-fact-estimate'), estimateText(place.estimate) || say('wait-fact-unknown'), true),
      early
        ? fact(say('wait-fact-starts'), dateText(this.saleStartsAt(place), this.event.time_zone))
        : fact(say('wait-fact-since'), clockText((nowMs() - place.joined_ms) / 1000)),
      fact(say('wait-fact-next'), phase === 'asking' ? say('wait-fact-now') : soonText(secondsUntil(place.boff)))
    );
  }
}

const orderLink = (order) => h('a', { href: links.order(order) }, say('page-to-order'));

const allEvents = () => h('a', { class: 'button', href: links.events }, say('page-all-events'));

function showEnd(title, heading, text) {
  showCard(title, heading, h('p', { class: 'lead' }, text), allEvents());
  announce(heading);
}

function showSaleOver(state) {
  if (state === 'cancelled') {
    showEnd(say('wait-sale-over'), say('event-state-cancelled'), say('event-says-cancelled'));
  } else if (state === 'draining') {
    showEnd(say('wait-room-full'), say('wait-room-full'), say('wait-room-full-text'));
  } else if (state === 'soldout') {
    showEnd(say('wait-sale-over'), say('wait-sold-out'), say('wait-sold-out-text'));
  } else {
    showEnd(say('wait-sale-over'), say('wait-sale-over'), say('wait-closed-text'));
  }
}

/** Shows that no session is left, while what became of the last one is being found out. */
function showSettling(error) {
  const toOrder = h('a', { class: 'button primary', href: links.order(error.fields.order) }, say('page-to-order'));
  const buttons = h('div', { class: 'buttons' }, toOrder, allEvents());
  const title = say('wait-heading-settling');
  showCard(title, title, notice('info', explain(error)), buttons);
}

function showUsedUp() {
  const title = say('wait-used-up');
  const text = say('wait-used-up-text');
  const orders = h('a', { class: 'button primary', href: links.orders }, say('page-my-orders'));
  showCard(title, title, notice('warn', text), h('div', { class: 'buttons' }, orders, allEvents()));
  announce(title);
}

/** Shows that the event is not open to this account; nobody waits for what they cannot have. */
function showNotEligible(event, text) {
  const title = say('wait-not-eligible');
  const toEvent = h('a', { class: 'button primary', href: links.event(event.event) }, say('page-to-event'));
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
      showFailure(error, say('wait-trying-again'));
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
  const beside = new RoomBeside(event, signal);
  const title = say('wait-title', { event: event.name });
  showPage(title, h('div', { class: 'columns room' }, room.element, beside.element));
  room.update({ phase: 'joining' });
  every(TICK_MS, signal, () => room.tick());
  // A sale that is over ends the wait. The place stays on the device: seats may come back, and it goes on then.
  const over = new AbortController();
  const ended = over.signal;
  signal.addEventListener('abort', () => over.abort());
  followSale(id, {
    show: (texts) => room.tell(texts),
    counted: (counts) => beside.update(counts),
    estimate: () => room.place?.estimate,
    signal: ended
  }).then(
    ({ state }) => {
      over.abort();
      showSaleOver(state);
    },
    () => {} // the page moved on
  );
  alone(`fairgate:wait:${id}:${knownSub()}`, {
    signal: ended,
    elsewhere: () => room.update({ phase: 'elsewhere' }),
    task: (mine) => {
      room.waiting = new Waiting(id, (state) => room.update(state), mine);
      return room.waiting.run();
    }
  })
    .then(({ session, expires_at: until }) => {
      over.abort();
      if (room.phase === 'joining') {
        location.replace(links.sale(id)); // inside already, and back from there
        return;
      }
      // Their time runs: only an admission tells whose turn it is, and one that waited for them might not come.
      if (room.phase !== 'elsewhere') {
        tab.set(`in:${session}`, nowMs());
        call(say('wait-turn'), say('wait-you-are-in', { until: timeText(until) }));
      }
      announce(say('wait-you-are-in', { until: timeText(until) }));
      location.replace(links.inside(id));
    })
    .catch((error) => {
      if (ended.aborted || error.name === 'AbortError') return;
      over.abort();
      if (error.code === 'sale-over') showSaleOver(event.state === 'cancelled' ? event.state : error.fields.state);
      else if (error.code === 'not-eligible') showNotEligible(event, explain(error));
      else if (error.fields?.settling_until) showSettling(error);
      else if (error.fields?.sessions_left === 0 || error.fields?.sessions_limit) showUsedUp();
      else showFailure(error);
    });
}
