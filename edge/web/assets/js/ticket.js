// Tickets: pictures that only their owner may load, so they come by fetch and live as blobs.

import { paths, request } from './api.js'
import { h, show } from './dom.js'

export async function loadTicket (order, unit, token, signal) {
  const { data } = await request('GET', paths.ticket(order, unit), { token, retry: true, signal, headers: { accept: 'image/svg+xml' } })
  return URL.createObjectURL(data.type.startsWith('image/svg') ? data : new Blob([data], { type: 'image/svg+xml' }))
}

/** A frame for each ticket that fills itself as they load. */
export function ticketGallery (order, token, signal) {
  return h('ol', { class: 'tickets' }, Array.from({ length: order.tickets }, (_, unit) => {
    const frame = h('li', {}, h('p', { class: 'loading' }, 'Loading ticket…'))
    fillFrame(frame, order, unit, token, signal)
    return frame
  }))
}

async function fillFrame (frame, order, unit, token, signal) {
  const name = `Ticket ${unit + 1} of ${order.tickets}`
  try {
    const url = await loadTicket(order.order, unit, token, signal)
    signal.addEventListener('abort', () => URL.revokeObjectURL(url))
    show(frame, h('img', { src: url, alt: `${name}, with its QR code`, class: 'ticket' }),
      h('p', { class: 'ticket-foot' }, h('span', { class: 'dim' }, name), h('a', { href: url, download: `ticket-${unit + 1}.svg` }, 'Save')))
  } catch (error) {
    if (error.name === 'AbortError') return
    show(frame, h('p', {}, `${name} could not be loaded.`), h('button', { onclick: () => { show(frame, h('p', { class: 'loading' }, 'Loading ticket…')); fillFrame(frame, order, unit, token, signal) } }, 'Load again'))
  }
}
