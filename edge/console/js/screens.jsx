// Which screens there are, and which acts make each of use.

import { may } from './acts.js';
import { AllActs } from './all-acts.jsx';
import { Events } from './events.jsx';
import { later } from './later.jsx';
import { Live } from './live.jsx';
import { Log } from './log.jsx';
import { Orders } from './orders/orders.jsx';
import { People } from './people.jsx';
import { Steer } from './steer.jsx';
import { Word } from './word.jsx';

const Forecast = later(async () => (await import('./forecast.jsx')).Forecast);
const After = later(async () => (await import('./after/after.jsx')).After);
const House = later(async () => (await import('./house.jsx')).House);
const Prepare = later(async () => (await import('./prepare/index.jsx')).Prepare);
const NewEvent = later(async () => (await import('./prepare/index.jsx')).NewEvent);

/** The screens of an event, in order; shown to those who may do one of the acts that it needs. */
export const EVENT_TABS = [
  { tab: 'live', name: 'Live', needs: ['event show'], Shown: Live },
  { tab: 'steer', name: 'Steer', needs: ['tau set'], Shown: Steer },
  { tab: 'forecast', name: 'Forecast', needs: ['simulate', 'forecast show'], Shown: Forecast },
  { tab: 'prepare', name: 'Prepare', needs: ['event edit', 'event publish'], Shown: Prepare },
  { tab: 'house', name: 'House seats', needs: ['seats list'], Shown: House },
  { tab: 'word', name: 'A word to the room', needs: ['event say'], Shown: Word },
  { tab: 'orders', name: 'Orders', needs: ['orders list', 'orders tasks'], Shown: Orders },
  { tab: 'people', name: 'People', needs: ['buyer show', 'desk show'], Shown: People },
  { tab: 'after', name: 'After', needs: ['books sales', 'books ledger'], Shown: After },
  { tab: 'log', name: 'Log', needs: ['event log'], Shown: Log },
  { tab: 'acts', name: 'All acts', needs: ['event list'], Shown: AllActs }
];

const PAGES = {
  events: { name: 'Events', Shown: Events },
  new: { name: 'New event', Shown: NewEvent }
};

const NOTHING = {
  name: 'Nothing here',
  Shown: () => (
    <div class="card">
      <h1>There is nothing here</h1>
      <p>
        <a href="#/">All events</a>
      </p>
    </div>
  )
};

const CLOSED = {
  name: 'Not for your role',
  Shown: () => (
    <div class="card">
      <h1>This screen is not for your role</h1>
      <p>Your sign-in may do nothing of what belongs here. An owner gives roles.</p>
    </div>
  )
};

export const tabsOpen = () => EVENT_TABS.filter(({ needs }) => needs.some((act) => may(act)));

export function screenOf({ event, tab, page }) {
  const found = (event ? EVENT_TABS.find((one) => one.tab === tab) : PAGES[page]) ?? NOTHING;
  return found.needs && !tabsOpen().includes(found) ? CLOSED : found;
}
