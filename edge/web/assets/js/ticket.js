// Tickets: pictures that only their owner may load, so they come by fetch, not by an address.

import { request } from './api.js';
import { h, show } from './dom.js';
import { getFoundTicketSvg, getTicketSvg } from './operations.js';

/** By what a ticket is asked for: the buyer's sign-in, or the token of a mailed link. */
const owned = (order, unit, token) => [getTicketSvg(order, { unit }), { token }];
export const mailed = (order, unit, token) => [getFoundTicketSvg(order, { unit }), { body: { token } }];

async function loadTicket(order, unit, token, signal, ask) {
  const [operation, options] = ask(order, unit, token);
  const { data } = await request(operation, {
    ...options,
    retry: true,
    signal,
    headers: { accept: 'image/svg+xml' }
  });
  const text = await data.text();
  return {
    picture: 'data:image/svg+xml,' + encodeURIComponent(text),
    file: URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  };
}

/** Makes a frame for each ticket, which fills itself as they load. */
export function ticketGallery(order, token, signal, ask = owned) {
  return h(
    'ol',
    { class: 'tickets' },
    Array.from({ length: order.tickets }, (_, unit) => {
      const frame = h('li', {});
      fillFrame(frame, order, unit, token, signal, ask);
      return frame;
    })
  );
}

async function fillFrame(frame, order, unit, token, signal, ask) {
  const name = `Ticket ${unit + 1} of ${order.tickets}`;
  show(frame, h('p', { class: 'loading' }, 'Loading ticket…'));
  try {
    const { picture, file } = await loadTicket(order.order, unit, token, signal, ask);
    signal.addEventListener('abort', () => URL.revokeObjectURL(file));
    show(
      frame,
      h('img', { src: picture, alt: `${name}, with its QR code`, class: 'ticket' }),
      h(
        'p',
        { class: 'ticket-foot' },
        h('span', { class: 'dim' }, name),
        h('a', { href: file, download: `ticket-${unit + 1}.svg` }, 'Save')
      )
    );
  } catch (error) {
    if (error.name === 'AbortError') return;
    show(
      frame,
      h('p', {}, `${name} could not be loaded.`),
      h('button', { onclick: () => fillFrame(frame, order, unit, token, signal, ask) }, 'Load again')
    );
  }
}
