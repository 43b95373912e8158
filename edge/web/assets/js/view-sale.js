// Opens the sale for a buyer who is inside, and follows what others do there.

import { dress } from './brand.js';
import { loadEvent, loadVenue } from './catalog.js';
import { announce, nap } from './dom.js';
import { Basket } from './holds.js';
import { loaded } from './late.js';
import { links } from './links.js';
import { followCounts } from './live.js';
import { organiserWord } from './organiser-word.js';
import { statePauseMs } from './pace.js';
import { showPage } from './page.js';
import { explain } from './problems.js';
import { Sale } from './sale.js';
import { showSessionOver } from './session-over.js';
import { readyWords, say } from './words.js';

const TICK_MS = 500;

/** Tells each message of the organiser to those who choose, once. */
async function followWord(id, signal, tell) {
  let told = '';
  while (!signal.aborted) {
    const event = await loadEvent(id, signal, { retry: false }).catch(() => null); // a later look finds it
    const word = event ? organiserWord(event, 'shopping') : told;
    if (word && word !== told) tell(word);
    told = word;
    await nap(statePauseMs(), signal);
  }
}

let last = null; // the sale that was shown before, perhaps in another language

/** Opens the sale at a section, at an area, or at the whole venue; returns how to go to another. */
export async function open(signal, id, place) {
  const event = await loadEvent(id, signal);
  dress(event);
  const [venue, parts] = await Promise.all([
    loadVenue(event),
    loaded(() => import('./map/venue-map.js'), signal),
    readyWords('map')
  ]);
  const basket = await Basket.liveOrNull(id, signal);
  signal.throwIfAborted();
  if (!basket) {
    await showSessionOver(id, signal, say('session-none'));
    return;
  }
  if (basket.session.state === 'checkout') {
    location.replace(links.checkout(id));
    return;
  }
  if (basket.session.state !== 'reservation') {
    await showSessionOver(id, signal, say('session-ended'));
    return;
  }
  const sale = new Sale(basket.agreed(event), venue, basket, { parts, signal });
  if (last?.basket.session.session === basket.session.session) sale.chosen = last.chosen;
  last = sale;
  showPage(say('sale-title', { event: event.name }), sale.element);
  document.body.classList.add('map-page');
  const timer = setInterval(() => {
    if (sale.tick()) clearInterval(timer);
  }, TICK_MS);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    document.body.classList.remove('map-page');
  });
  sale.tick();
  await sale.open(place);
  sale.map.load().catch((error) => sale.notify('bad', explain(error), { stays: true }));
  sale.repaint();
  followWord(id, signal, (word) => sale.notify('info', word, { stays: true }));
  followCounts(id, { show: (counts) => sale.updateCounts(counts), stale: () => sale.outdated(), signal });
  return (_, next) => {
    const byItself = next === sale.heldAt; // then what it says stays, and the focus
    sale.heldAt = null;
    if (next !== sale.place && !byItself) sale.notify();
    sale.open(next, byItself).catch((error) => sale.notify('bad', explain(error)));
    if (byItself) return;
    if (sale.map.focused) {
      announce(sale.title.textContent); // who walks on the map by keys walks on
      return;
    }
    sale.title.tabIndex = -1;
    sale.title.focus({ preventScroll: true });
  };
}
