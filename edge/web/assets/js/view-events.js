// The list of all events, with a search. The address keeps the search, so that "back" shows it again.

import { loadEvents } from './catalog.js';
import { nowMs } from './clock.js';
import { announce, field, h, nap, show } from './dom.js';
import { choicesOf, find, indexOf, TEXT_CHARS_MAX } from './find-events.js';
import { dateText, placeText } from './format.js';
import { links } from './links.js';
import { failedPauseMs, STATE_MS, statePauseMs } from './pace.js';
import { showPage } from './page.js';
import { badge, underName } from './parts.js';
import { say } from './words.js';

const SEARCHED_FROM = 7; // events: fewer are seen at a glance
const WATCHED = 200; // events: a longer list is read again more seldom, as its bytes are more
const TYPED_MS = 150;

function eventCard(event) {
  return h(
    'a',
    { class: 'card event', href: links.page(event.event) },
    badge(event),
    h('strong', { class: 'event-name' }, h('bdi', {}, event.name)),
    underName(event, 'span'),
    event.starts_at && h('span', {}, dateText(event.starts_at, event.time_zone)),
    event.venue && h('span', { class: 'dim' }, h('bdi', {}, placeText(event))),
    h('span', { class: 'dim' }, say('events-sale-from', { date: dateText(event.sale_starts_at, event.time_zone) }))
  );
}

const wantedInAddress = () => Object.fromEntries(new URLSearchParams(location.hash.split('?')[1] || ''));

/** The list with its search. */
class Browser {
  constructor(events) {
    this.wanted = wantedInAddress();
    this.form = h('form', { class: 'search', role: 'search', onsubmit: (event) => event.preventDefault() });
    this.list = h('div', {});
    this.element = h('div', {}, this.form, this.list);
    this.update(events);
  }

  /** Takes over the events as they were read again; what is typed stays. */
  update(events) {
    this.index = indexOf(events);
    const wanted = Object.keys(this.wanted).length > 0 || find(this.index, { past: '1' }, nowMs()).count > 0;
    const searched = events.length >= SEARCHED_FROM || wanted;
    const choices = JSON.stringify(choicesOf(this.index));
    if (searched && choices !== this.choices) this.drawForm(JSON.parse(choices));
    this.choices = choices;
    this.draw();
  }

  /** Searches for what the address says: a link to all events takes the search away. */
  followAddress() {
    this.wanted = wantedInAddress();
    if (this.form.firstChild) this.drawForm(JSON.parse(this.choices));
    this.draw();
  }

  drawForm({ city, category }) {
    if (this.form.contains(document.activeElement)) return; // a later look brings new choices
    const { wanted } = this;
    if (!city.includes(wanted.city)) delete wanted.city; // it is there no longer, or it was chosen in another language
    if (!category.includes(wanted.category)) delete wanted.category;
    const input = (id, attributes) =>
      h('input', { id, value: wanted[id] || '', oninput: (event) => this.set(id, event.target.value), ...attributes });
    const select = (id, all, values) => {
      const options = values.map((value) => h('option', { value, selected: value === wanted[id] }, value));
      const change = (event) => this.set(id, event.target.value);
      return h('select', { id, onchange: change }, h('option', { value: '' }, all), options);
    };
    const past = h('input', { id: 'past', type: 'checkbox', checked: Boolean(wanted.past) });
    past.addEventListener('change', () => this.set('past', past.checked ? '1' : ''));
    show(
      this.form,
      field(say('events-search'), input('text', { type: 'search', autocomplete: 'off', maxlength: TEXT_CHARS_MAX })),
      city.length > 1 && field(say('events-city'), select('city', say('events-all-cities'), city)),
      category.length > 1 && field(say('events-kind'), select('category', say('events-all-kinds'), category)),
      field(say('events-from'), input('from', { type: 'date' })),
      field(say('events-until'), input('to', { type: 'date' })),
      h('label', { class: 'past', for: 'past' }, past, say('events-past'))
    );
  }

  /** Searches for something else; the first page comes first. */
  set(name, value) {
    this.wanted = { ...this.wanted, page: '', [name]: value };
    const said = Object.entries(this.wanted).filter(([, text]) => text);
    this.wanted = Object.fromEntries(said);
    const query = new URLSearchParams(said).toString();
    history.replaceState(null, '', query ? `${links.events}?${query}` : links.events);
    const count = this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => announce(say('events-count', { count })), TYPED_MS); // not at each letter
  }

  /** Draws what is found; returns how many. */
  draw() {
    const { events, page, pages, count } = find(this.index, this.wanted, nowMs());
    const none = Object.keys(this.wanted).length ? 'events-none-match' : 'events-none';
    const cards = events.map((event) => h('li', {}, eventCard(event)));
    const searches = this.form.firstChild !== null;
    show(
      this.list,
      searches && count > 0 && h('p', { class: 'dim small' }, say('events-count', { count })),
      count ? h('ul', { class: 'events' }, cards) : h('p', { class: 'card' }, say(none)),
      pages > 1 && this.pager(page, pages)
    );
    return count;
  }

  pager(page, pages) {
    const go = (to) => {
      this.set('page', String(to));
      this.element.scrollIntoView();
    };
    const button = (text, to) => h('button', { disabled: to < 1 || to > pages, onclick: () => go(to) }, text);
    const where = h('span', { class: 'dim' }, say('events-page', { page, pages }));
    return h(
      'nav',
      { class: 'pager', 'aria-label': say('events-pages') },
      button(say('events-back'), page - 1),
      where,
      button(say('events-next'), page + 1)
    );
  }
}

/** Reads the events every now and then, more seldom while it fails; a hidden page rests. */
async function followEvents(browser, events, signal) {
  let shown = JSON.stringify(events);
  let failures = 0;
  let times = Math.ceil(events.length / WATCHED);
  while (!signal.aborted) {
    await nap(failures ? failedPauseMs(failures, STATE_MS) : statePauseMs() * Math.max(1, times), signal);
    if (signal.aborted || document.visibilityState !== 'visible') continue;
    try {
      const latest = await loadEvents(signal, { retry: false });
      failures = 0;
      times = Math.ceil(latest.length / WATCHED);
      if (JSON.stringify(latest) === shown) continue;
      shown = JSON.stringify(latest);
      browser.update(latest);
    } catch {
      failures++; // a later look finds them
    }
  }
}

export async function open(signal) {
  const events = await loadEvents(signal);
  const browser = new Browser(events);
  showPage(say('events-title'), h('h1', {}, say('events-title')), browser.element);
  addEventListener('hashchange', () => browser.followAddress(), { signal });
  followEvents(browser, events, signal);
}
