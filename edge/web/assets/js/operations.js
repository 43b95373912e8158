// Generated from docs/openapi.json by `make openapi`: edit nothing here.
// Each function makes the operation that `request` of api.js sends.

const part = encodeURIComponent;

const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
};

const op = (method, path, answers) => ({ method, path, answers });

/** Join the waiting room (answered at the edge) */
export const joinQueue = (event) => op('POST', `/api/events/${part(event)}/queue`, { 200: 'PlaceView' });

/** Ask to be let in (answered at the edge until the draw admits) */
export const requestAdmission = (event) =>
  op('POST', `/api/events/${part(event)}/admission`, { 201: 'LiveSessionView', 202: 'WaitingView' });

/** What the edge forwards: violations and samples */
export const askDesk = ({ event } = {}) =>
  op('POST', `/api/desk${query({ event })}`, { 200: 'PlaceView', 201: 'LiveSessionView' });

/** Ask that a person looks at the caller's lock-out; again: the same appeal */
export const appealLockOut = (event) => op('POST', `/api/events/${part(event)}/appeal`, { 200: 'AppealView' });

/** The caller's live session */
export const getLiveSession = (event) => op('GET', `/api/events/${part(event)}/session`, { 200: 'LiveSessionView' });

/** Where the event's immutable layout is */
export const getLayout = (event) => op('GET', `/api/events/${part(event)}/layout`, {});

/** Free seats per section, free places per area */
export const getAvailability = (event, { section } = {}) =>
  op('GET', `/api/events/${part(event)}/availability${query({ section })}`, { 200: 'CountsView' });

/** The status of each seat of a section, in layout order */
export const getSectionSeats = (event, section) =>
  op('GET', `/api/events/${part(event)}/sections/${part(section)}/seats`, { 200: 'SeatsView' });

/** The status of every seat, 2 bits a seat */
export const getStatusVector = (event) =>
  op('GET', `/api/events/${part(event)}/status.bin`, { 200: 'application/octet-stream' });

/** A short, finite stream of server-sent events */
export const getChanges = (event, { section } = {}) =>
  op('GET', `/api/events/${part(event)}/changes${query({ section })}`, { 200: 'text/event-stream' });

/** A draft, as buyers will see it */
export const previewEvent = (event) => op('POST', `/api/events/${part(event)}/preview`, { 200: 'EventView' });

/** The events on sale, by their ids */
export const listEvents = ({ after } = {}) => op('GET', `/api/events${query({ after })}`, { 200: 'EventsView' });

/** One event: prices, limits, layout */
export const getEvent = (event) => op('GET', `/api/events/${part(event)}`, { 200: 'EventView' });

/** Find and hold the best seats together */
export const holdBestAvailable = (session) =>
  op('POST', `/api/sessions/${part(session)}/holds/best-available`, { 201: 'HoldView' });

/** Hold seats and places: all or none */
export const holdPlaces = (session) => op('POST', `/api/sessions/${part(session)}/holds`, { 201: 'HoldView' });

/** Give one hold back */
export const releaseHold = (session, hold) =>
  op('DELETE', `/api/sessions/${part(session)}/holds/${part(hold)}`, { 204: '' });

/** Fix the price and open the payment page */
export const beginCheckout = (session) =>
  op('POST', `/api/sessions/${part(session)}/checkout`, { 201: 'CheckoutView' });

/** Leave: give everything back */
export const leaveSession = (session) => op('DELETE', `/api/sessions/${part(session)}`, { 204: '' });

/** The payment provider's signed events */
export const receivePaymentEvent = () => op('POST', '/api/payments/webhook', { 200: 'SettledView' });

/** The caller's orders, the newest first */
export const listOrders = ({ after } = {}) => op('GET', `/api/orders${query({ after })}`, { 200: 'OrdersView' });

/** One order of the caller */
export const getOrder = (order) => op('GET', `/api/orders/${part(order)}`, { 200: 'OrderView' });

/** Cancel a paid order, or one of its places, within the order's own terms */
export const cancelOrder = (order) => op('POST', `/api/orders/${part(order)}/cancel`, { 200: 'OrderView' });

/** Have the tickets of a paid order mailed to another address, or again */
export const changeOrderEmail = (order) => op('POST', `/api/orders/${part(order)}/email`, { 200: 'OrderView' });

/** Offer a ticket by a link; again: the same offer */
export const offerTicket = (order, ticket) =>
  op('POST', `/api/orders/${part(order)}/tickets/${part(ticket)}/offer`, { 201: 'OfferView' });

/** Withdraw the offer of a ticket */
export const withdrawOffer = (order, ticket) =>
  op('DELETE', `/api/orders/${part(order)}/tickets/${part(ticket)}/offer`, { 204: '' });

/** Take a ticket over by the link of its offer, or look what it is */
export const acceptTicket = () => op('POST', '/api/transfers', { 200: 'AcceptedView' });

/** The tickets that were passed on to the caller, the newest first */
export const listHeldTickets = () => op('GET', '/api/tickets', { 200: 'HeldTicketsView' });

/** One ticket as an SVG image */
export const getTicketSvg = (order, { unit } = {}) =>
  op('GET', `/api/orders/${part(order)}/ticket.svg${query({ unit })}`, { 200: 'image/svg+xml' });

/** One ticket as a PNG image */
export const getTicketPng = (order, { unit } = {}) =>
  op('GET', `/api/orders/${part(order)}/ticket.png${query({ unit })}`, { 200: 'image/png' });

/** One ticket, or all of the order, as a PDF */
export const getTicketPdf = (order, { unit } = {}) =>
  op('GET', `/api/orders/${part(order)}/ticket.pdf${query({ unit })}`, { 200: 'application/pdf' });

/** One ticket for Apple Wallet, where the stage offers it */
export const getApplePass = (order, { unit } = {}) =>
  op('GET', `/api/orders/${part(order)}/ticket.pkpass${query({ unit })}`, { 200: 'application/vnd.apple.pkpass' });

/** The address that saves one ticket to Google Wallet, where the stage offers it */
export const getGooglePass = (order, { unit } = {}) =>
  op('GET', `/api/orders/${part(order)}/google-pass${query({ unit })}`, { 200: 'SaveLinkView' });

/** The order's invoice and its credit notes as a PDF */
export const getInvoicePdf = (order) => op('GET', `/api/orders/${part(order)}/invoice.pdf`, { 200: 'application/pdf' });

/** The order's event as a calendar file */
export const getOrderCalendar = (order) => op('GET', `/api/orders/${part(order)}/event.ics`, { 200: 'text/calendar' });

/** Have the tickets of a mail address found: a mail with a link goes there, if there are any */
export const mailTicketLink = () => op('POST', '/api/tickets/link', { 202: 'LinkAskedView' });

/** The orders that a mailed link opens */
export const openTicketLink = () => op('POST', '/api/tickets/open', { 200: 'FoundView' });

/** One ticket that a mailed link opens, as an SVG image */
export const getFoundTicketSvg = (order, { unit } = {}) =>
  op('POST', `/api/tickets/open/${part(order)}/ticket.svg${query({ unit })}`, { 200: 'image/svg+xml' });

/** One ticket that a mailed link opens, as a PNG image */
export const getFoundTicketPng = (order, { unit } = {}) =>
  op('POST', `/api/tickets/open/${part(order)}/ticket.png${query({ unit })}`, { 200: 'image/png' });

/** The tickets of an order that a mailed link opens, as a PDF */
export const getFoundTicketPdf = (order) =>
  op('POST', `/api/tickets/open/${part(order)}/ticket.pdf`, { 200: 'application/pdf' });

/** The identity provider's code for the short auth token */
export const exchangeIdentity = () => op('POST', '/api/auth/exchange', { 200: 'IdentityExchanged' });

/** The caller's auth token, two hours from now */
export const renewIdentity = () => op('POST', '/api/auth/renew', { 200: 'IdentityExchanged' });

/** An operator's live figures */
export const getFigures = (event) => op('GET', `/api/operator/events/${part(event)}`, { 200: 'Figures' });

/** The figures since the sale start */
export const getHistory = (event) => op('GET', `/api/operator/events/${part(event)}/history`, { 200: 'History' });

/** How much of each section and area is sold, held, free and blocked */
export const getSections = (event) => op('GET', `/api/operator/events/${part(event)}/sections`, { 200: 'Sections' });

/** What an operator may do */
export const listActs = () => op('GET', '/api/operator/acts', { 200: 'ActsView' });

/** Do what the command `fairgate` does */
export const doAct = () => op('POST', '/api/operator/acts', { 200: 'ActDoneView' });
