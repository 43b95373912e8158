// Addresses of the pages, as fragments: main.js has the patterns that read them.

const eventLink = (event) => `#/e/${encodeURIComponent(event)}`;

export const links = {
  events: '#/',
  event: eventLink,
  page: (event) => `/e/${encodeURIComponent(event)}`, // as others find it
  rules: (event) => `${eventLink(event)}/rules`,
  wait: (event) => `${eventLink(event)}/wait`,
  inside: (event) => `${eventLink(event)}/in`,
  sale: (event, place) => `${eventLink(event)}/sale${place ? `/${encodeURIComponent(place)}` : ''}`,
  checkout: (event) => `${eventLink(event)}/checkout`,
  orders: '#/orders',
  find: '#/find',
  found: '#/found',
  order: (order) => `#/o/${encodeURIComponent(order)}`,
  held: (order) => `#/t/${encodeURIComponent(order)}`
};
