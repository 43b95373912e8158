// The order's event for the buyer's own calendar: a file that only they may load, so it comes by fetch.

import { request } from './api.js';
import { authToken } from './auth.js';
import { h, notice, show } from './dom.js';
import { getOrderCalendar } from './operations.js';
import { explain } from './problems.js';

const NAME = 'event.ics';

/** Hands a file to the browser, as a click on a link to it would. */
function save(blob) {
  const link = h('a', { href: URL.createObjectURL(blob), download: NAME, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // a phone asks its owner first
}

/** A button that saves the event's date and place as a calendar file. */
export function calendarButton(order, signal) {
  const said = h('div', { role: 'status' });
  const button = h('button', {}, 'Add to calendar');
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const options = { token: authToken(), retry: true, signal, headers: { accept: 'text/calendar' } };
      save((await request(getOrderCalendar(order.order), options)).data);
      show(said);
    } catch (error) {
      if (error.name !== 'AbortError') show(said, notice('bad', explain(error)));
    } finally {
      button.disabled = false;
    }
  });
  return h('div', {}, h('p', {}, button), said);
}
