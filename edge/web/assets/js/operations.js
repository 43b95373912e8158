// Generated from docs/openapi.json by `make openapi`: edit nothing here.
// Each function makes the operation that `request` of api.js sends.

const part = encodeURIComponent;

const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
};

/** Join the waiting room (answered at the edge) */
export const joinQueue = (event) => ({ method: 'POST', path: `/api/events/${part(event)}/queue` });

/** Ask to be let in (answered at the edge until the draw admits) */
export const requestAdmission = (event) => ({ method: 'POST', path: `/api/events/${part(event)}/admission` });

/** What the edge forwards: violations and samples */
export const askDesk = ({ event } = {}) => ({ method: 'POST', path: `/api/desk${query({ event })}` });

/** The caller's live session */
export const getLiveSession = (event) => ({ method: 'GET', path: `/api/events/${part(event)}/session` });

/** Where the event's immutable layout is */
export const getLayout = (event) => ({ method: 'GET', path: `/api/events/${part(event)}/layout` });

/** Free seats per section, free places per area */
export const getAvailability = (event, { section } = {}) => ({
  method: 'GET',
  path: `/api/events/${part(event)}/availability${query({ section })}`
});

/** The status of each seat of a section, in layout order */
export const getSectionSeats = (event, section) => ({
  method: 'GET',
  path: `/api/events/${part(event)}/sections/${part(section)}/seats`
});

/** The status of every seat, 2 bits a seat */
export const getStatusVector = (event) => ({ method: 'GET', path: `/api/events/${part(event)}/status.bin` });

/** A short, finite stream of server-sent events */
export const getChanges = (event, { section } = {}) => ({
  method: 'GET',
  path: `/api/events/${part(event)}/changes${query({ section })}`
});

/** A draft, as buyers will see it */
export const previewEvent = (event) => ({ method: 'POST', path: `/api/events/${part(event)}/preview` });

/** The events on sale */
export const listEvents = () => ({ method: 'GET', path: '/api/events' });

/** One event: prices, limits, layout */
export const getEvent = (event) => ({ method: 'GET', path: `/api/events/${part(event)}` });

/** Find and hold the best seats together */
export const holdBestAvailable = (session) => ({
  method: 'POST',
  path: `/api/sessions/${part(session)}/holds/best-available`
});

/** Hold seats and places: all or none */
export const holdPlaces = (session) => ({ method: 'POST', path: `/api/sessions/${part(session)}/holds` });

/** Give one hold back */
export const releaseHold = (session, hold) => ({
  method: 'DELETE',
  path: `/api/sessions/${part(session)}/holds/${part(hold)}`
});

/** Fix the price and open the payment page */
export const beginCheckout = (session) => ({ method: 'POST', path: `/api/sessions/${part(session)}/checkout` });

/** Leave: give everything back */
export const leaveSession = (session) => ({ method: 'DELETE', path: `/api/sessions/${part(session)}` });

/** The payment provider's signed events */
export const receivePaymentEvent = () => ({ method: 'POST', path: '/api/payments/webhook' });

/** The caller's orders, the newest first */
export const listOrders = ({ after } = {}) => ({ method: 'GET', path: `/api/orders${query({ after })}` });

/** One order of the caller */
export const getOrder = (order) => ({ method: 'GET', path: `/api/orders/${part(order)}` });

/** Cancel a paid order, or one of its places, within the order's own terms */
export const cancelOrder = (order) => ({ method: 'POST', path: `/api/orders/${part(order)}/cancel` });

/** Offer a ticket by a link; again: the same offer */
export const offerTicket = (order, ticket) => ({
  method: 'POST',
  path: `/api/orders/${part(order)}/tickets/${part(ticket)}/offer`
});

/** Withdraw the offer of a ticket */
export const withdrawOffer = (order, ticket) => ({
  method: 'DELETE',
  path: `/api/orders/${part(order)}/tickets/${part(ticket)}/offer`
});

/** Take a ticket over by the link of its offer, or look what it is */
export const acceptTicket = () => ({ method: 'POST', path: '/api/transfers' });

/** The tickets that were passed on to the caller, the newest first */
export const listHeldTickets = () => ({ method: 'GET', path: '/api/tickets' });

/** One ticket as an SVG image */
export const getTicketSvg = (order, { unit } = {}) => ({
  method: 'GET',
  path: `/api/orders/${part(order)}/ticket.svg${query({ unit })}`
});

/** One ticket as a PNG image */
export const getTicketPng = (order, { unit } = {}) => ({
  method: 'GET',
  path: `/api/orders/${part(order)}/ticket.png${query({ unit })}`
});

/** One ticket, or all of the order, as a PDF */
export const getTicketPdf = (order, { unit } = {}) => ({
  method: 'GET',
  path: `/api/orders/${part(order)}/ticket.pdf${query({ unit })}`
});

/** The order's invoice and its credit notes as a PDF */
export const getInvoicePdf = (order) => ({ method: 'GET', path: `/api/orders/${part(order)}/invoice.pdf` });

/** The order's event as a calendar file */
export const getOrderCalendar = (order) => ({ method: 'GET', path: `/api/orders/${part(order)}/event.ics` });

/** Have the tickets of a mail address found: a mail with a link goes there, if there are any */
export const mailTicketLink = () => ({ method: 'POST', path: '/api/tickets/link' });

/** The orders that a mailed link opens */
export const openTicketLink = () => ({ method: 'POST', path: '/api/tickets/open' });

/** One ticket that a mailed link opens, as an SVG image */
export const getFoundTicketSvg = (order, { unit } = {}) => ({
  method: 'POST',
  path: `/api/tickets/open/${part(order)}/ticket.svg${query({ unit })}`
});

/** The tickets of an order that a mailed link opens, as a PDF */
export const getFoundTicketPdf = (order) => ({ method: 'POST', path: `/api/tickets/open/${part(order)}/ticket.pdf` });

/** The identity provider's code for the short auth token */
export const exchangeIdentity = () => ({ method: 'POST', path: '/api/auth/exchange' });

/** The caller's auth token, two hours from now */
export const renewIdentity = () => ({ method: 'POST', path: '/api/auth/renew' });

/** An operator's live figures */
export const getFigures = (event) => ({ method: 'GET', path: `/api/operator/events/${part(event)}` });
