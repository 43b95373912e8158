// One event before the queue: countdown, prices, and the seat map to look at.

import { get } from './api.js';
import { identity } from './auth.js';
import { dress } from './brand.js';
import { loadEvent, loadPreview, loadVenue } from './catalog.js';
import { secondsUntil } from './clock.js';
import { announce, every, h, nap, notice, show } from './dom.js';
import { dateText, listText, money, placeText } from './format.js';
import { loaded } from './late.js';
import { links } from './links.js';
import { followCounts } from './live.js';
import { getLiveSession } from './operations.js';
import { failedPauseMs, STATE_MS, statePauseMs, untilPublished } from './pace.js';
import { goToSignIn, showFailure, showPage } from './page.js';
import { rankedTiers, swatch } from './map/tiers.js';
import { badge, comesUp, countdown, feeNote, underName } from './parts.js';
import { saleEndText } from './sale-end.js';
import { organiserWord } from './organiser-word.js';
import { tab } from './store.js';
import { savedPlace } from './kept-place.js';
import { readyWords, say, sayWith } from './words.js';

const NEAR_S = 1800; // the waiting room opens half an hour before the sale: waiting tokens are short
const COUNTDOWN_MS = 250;
const LEAST_MS = 15000; // somebody who only looks need not see every sold seat

const RESTRICTIONS = ['members', 'verified_phone', 'account_days', 'address_limit', 'card_limit'];

let rules = { requirements: () => [], refusal: () => '' }; // those of an event that is open to every account

/** Loads what only some events need: what they ask of an account, and the words for it. */
async function loadRules(event, signal) {
  if (!RESTRICTIONS.some((name) => event[name])) return;
  [rules] = await Promise.all([loaded(() => import('./eligibility.js'), signal), readyWords()]);
}

async function liveSession(event, signal) {
  const who = identity();
  if (!who) return null;
  try {
    return await get(getLiveSession(event), { token: who.token, signal });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    if (error.fields?.sessions_left === 0) return { state: 'used-up' };
    return null; // without it the waiting room finds out
  }
}

/** Returns what a buyer can do now: a list of notices, and at most one button. */
function nextStep(event, session, lastOrder) {
  const parts = [];
  if (lastOrder) {
    const link = h('a', { href: links.order(lastOrder) }, say('page-to-order'));
    parts.push(notice('info', sayWith('event-ordered', { link })));
  }
  if (event.state === 'cancelled') return [...parts, notice('warn', say('event-says-cancelled'))];
  if (session && ['reservation', 'checkout'].includes(session.state)) {
    const goOn = { class: 'button primary big', href: links.sale(event.event) };
    return [...parts, h('a', goOn, say('event-go-on'))];
  }
  if (event.state === 'soldout') return [...parts, notice('warn', say('event-says-soldout'))];
  if (event.state === 'closed') return [...parts, notice('warn', say('event-says-closed'))];
  if (session?.state === 'used-up') return [...parts, notice('warn', say('event-says-used-up'))];
  if (event.state === 'draining') parts.push(notice('warn', say('event-says-draining')));
  if (event.state === 'paused') parts.push(notice('warn', say('event-says-paused')));
  const left = secondsUntil(event.sale_starts_at);
  const ends = saleEndText(event);
  if (ends) parts.push(notice('warn', ends));
  parts.push(...rules.requirements(event).map((text) => notice('info', text)));
  const refused = rules.refusal(event, identity()?.account);
  if (refused) return [...parts, notice('warn', refused)];
  if (left > NEAR_S) return [...parts, h('p', { class: 'dim' }, say('event-too-early'))];
  const enter = left > 0 ? 'event-enter' : 'event-get-tickets';
  const text = say(savedPlace(event.event) ? 'event-to-place' : enter);
  const route = links.wait(event.event);
  const button = identity()
    ? h('a', { class: 'button primary big', href: route }, text)
    : h('button', { class: 'primary big', onclick: () => goToSignIn(route) }, text);
  return [...parts, button, h('p', { class: 'dim small' }, say(left > 0 ? 'event-before-start' : 'event-after-start'))];
}

function prices(event) {
  const line = (tier) =>
    h('li', {}, swatch(tier), h('bdi', {}, tier.name), h('b', {}, money(tier.whole_minor, event.currency)));
  const list = h('ul', { class: 'prices' }, [...rankedTiers(event).values()].map(line));
  return h('section', { class: 'card' }, h('h2', {}, say('event-prices')), list, feeNote(event));
}

/** What the organiser says of the event and of the way to it, a paragraph a line. */
function about(event) {
  const lines = (event.text || '').split('\n').filter(Boolean);
  const paragraphs = lines.map((line) => h('p', {}, h('bdi', {}, line)));
  const about = lines.length > 0 && [h('h2', {}, say('event-about')), paragraphs];
  const way = (event.travel || '').split('\n').filter(Boolean);
  const travel = way.length > 0 && [
    h('h2', {}, say('event-travel')),
    way.map((line) => h('p', {}, h('bdi', {}, line)))
  ];
  return (about || travel) && h('section', { class: 'card about' }, about, travel);
}

/** The part of the page that changes by itself: the countdown, the state, and what a buyer can do now. */
class Hero {
  constructor(event, session, place, preview) {
    this.event = event;
    this.preview = preview;
    this.session = session;
    this.lastOrder = identity() && tab.get(`order:${event.event}`);
    this.badge = h('div', {});
    this.timer = h('div', {});
    this.action = h('div', { class: 'way' });
    const name = h('p', { class: 'lead' }, h('bdi', {}, place));
    const kind = event.category && h('p', { class: 'dim small' }, h('bdi', {}, event.category));
    const start = event.starts_at && h('p', { class: 'lead' }, dateText(event.starts_at, event.time_zone));
    const head = [kind, h('h1', {}, h('bdi', {}, event.name)), underName(event, 'p', { class: 'lead' }), start, name];
    const words = h('div', { class: 'hero-words' }, head);
    const { picture: src } = event;
    const onerror = (e) => e.target.remove(); // it is decoration, and would leave a hole
    const picture =
      src && h('img', { class: 'picture', src, alt: '', width: 1280, height: 720, fetchpriority: 'high', onerror });
    const rules =
      !preview && h('p', { class: 'small' }, h('a', { href: links.rules(event.event) }, say('event-rules')));
    const entry = h('div', { class: 'card entry' }, this.badge, this.timer, this.action, rules);
    this.element = h('section', { class: 'hero' }, picture, words, entry);
    this.tick();
  }

  /** Shows the event as it was read again. */
  update(event) {
    this.event = event;
    this.tick();
  }

  /** Counts down, and draws only what has changed: nothing moves under a finger. */
  tick() {
    const { event, timer } = this;
    const left = secondsUntil(event.sale_starts_at);
    const starts = say('event-sale-starts', { date: dateText(event.sale_starts_at, event.time_zone) });
    const date = h('p', { class: 'dim' }, starts);
    show(timer, comesUp(event) && [date, countdown(left)]);
    const stage = left > NEAR_S ? 'early' : left > 0 ? 'near' : saleEndText(event) ? 'ending' : 'open';
    const word = organiserWord(event, 'waiting');
    const own = `${rules.requirements(event)} ${rules.refusal(event, identity()?.account)}`;
    const drawn = `${stage} ${event.state} ${word} ${own}`;
    if (drawn === this.drawn) return;
    const again = this.drawn !== undefined;
    const focused = this.action.contains(document.activeElement);
    this.drawn = drawn;
    show(this.badge, badge(event));
    show(
      this.action,
      word && notice('info', word),
      ...(this.preview ? [notice('info', say('event-preview'))] : nextStep(event, this.session, this.lastOrder))
    );
    if (!again) return;
    const chief = this.action.querySelector('a.primary, button.primary');
    if (focused) chief?.focus();
    announce((this.action.querySelector('.notice-warn') || chief || this.action).textContent);
  }
}

/** Reads the event's state every now and then until it is final; a hidden page rests, and reads when shown again. */
async function followState(hero, signal) {
  let failures = 0;
  while (!signal.aborted && !['closed', 'cancelled'].includes(hero.event.state)) {
    await nap(failures ? failedPauseMs(failures, STATE_MS) : statePauseMs(), signal);
    if (signal.aborted || document.visibilityState !== 'visible') continue;
    try {
      const event = await loadEvent(hero.event.event, signal, { retry: false });
      await loadRules(event, signal);
      hero.update(event);
      failures = 0;
    } catch {
      failures++; // a later look finds it
    }
  }
}

/** Says where the organiser expects the most buyers; '' where nothing is marked. */
function fullestText({ fullest }, venue) {
  const ids = (fullest || '').split(',').map((id) => id.trim());
  const places = [...venue.sections, ...(venue.areas || [])].filter(({ id }) => ids.includes(id));
  return places.length ? say('event-fullest', { places: listText(places.map(({ name }) => name)) }) : '';
}

/** The map to look at, loaded when it comes into view, with the same as a list. */
function seatMap({ MapStage, PlaceList }, event, venue, signal) {
  const map = new MapStage(event, venue, signal, {
    go: (place) => map.show(place),
    settled: (place) => map.show(place),
    filtered: (hidden) => list.filter(hidden),
    stale: () => {}
  });
  const list = new PlaceList(venue, map.tiers, event.currency, (place) => map.show(place));
  const places = h('details', { class: 'as-list' }, h('summary', {}, say('event-sections-list')), list.element);
  const watcher = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watcher.disconnect();
    map.load().catch(() => show(map.holder, notice('warn', say('event-map-failed'))));
  });
  watcher.observe(map.element);
  signal.addEventListener('abort', () => watcher.disconnect());
  const update = (counts) => {
    map.update(counts);
    list.update(counts);
  };
  return { elements: [map.element, places], update };
}

/** Opens the event's page; with a draft's preview token its page as it will be, which does nothing yet. */
export async function open(signal, id, preview) {
  const asked = Promise.all([
    preview
      ? loadPreview(id, preview, signal)
      : untilPublished(
          () => loadEvent(id, signal),
          (error) => !signal.aborted && showFailure(error, say('event-perhaps-soon')),
          (ms) => nap(ms, signal)
        ),
    preview ? null : liveSession(id, signal)
  ]);
  const [event, session] = await asked;
  await loadRules(event, signal);
  signal.throwIfAborted();
  dress(event);
  const loading = loadVenue(event).catch(() => null);
  const forMap = Promise.all([loaded(() => import('./map/venue-map.js'), signal), readyWords('map')]).catch(() => []);
  const place = placeText({ ...event, venue: event.venue || (await loading)?.name });
  signal.throwIfAborted();
  const hero = new Hero(event, session, place, preview);
  // All but the map is there a trip earlier; the map comes last, so that nothing moves when it does.
  const seats = h('section', { class: 'card' }, h('h2', {}, say('event-seat-map')));
  showPage(event.name, hero.element, about(event), h('div', { class: 'columns landing' }, prices(event), seats));
  every(COUNTDOWN_MS, signal, () => hero.tick());
  if (!preview) followState(hero, signal);
  const [venue, [parts]] = await Promise.all([loading, forMap]);
  if (signal.aborted) return;
  if (!venue || !parts) {
    seats.append(notice('warn', say('event-no-map')));
    return;
  }
  const { elements, update } = seatMap(parts, event, venue, signal);
  const fullest = fullestText(event, venue);
  if (fullest) seats.append(h('p', { class: 'dim' }, fullest));
  seats.append(...elements);
  if (!preview) followCounts(id, { show: update, stale: () => {}, signal, leastMs: LEAST_MS });
}
