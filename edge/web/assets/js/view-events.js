// All events.

import { loadEvents } from './catalog.js'
import { h } from './dom.js'
import { dateText } from './format.js'
import { nowMs } from './clock.js'
import { page } from './main.js'

const STATES = { paused: 'Paused', soldout: 'Sold out', closed: 'Closed' }

export function stateText (event) {
  if (STATES[event.state]) return STATES[event.state]
  return Date.parse(event.sale_opens_at) > nowMs() ? 'Coming up' : 'On sale'
}

export async function open (signal) {
  const events = await loadEvents(signal)
  page('Events', h('h1', {}, 'Events'),
    events.length === 0 && h('p', { class: 'card' }, 'There is nothing on sale yet. Please come back later.'),
    h('ul', { class: 'events' }, events.map((event) => h('li', {},
      h('a', { class: 'card event', href: `#/e/${encodeURIComponent(event.event)}` },
        h('span', { class: `badge badge-${stateText(event).toLowerCase().replace(' ', '-')}` }, stateText(event)),
        h('strong', { class: 'event-name' }, event.name),
        h('span', { class: 'dim' }, `Sale from ${dateText(event.sale_opens_at)}`))))))
}
