// Whose pages these are: the event's colours, and below its pages who sells, where to ask, and the seller's own pages.

import { h, show } from './dom.js';

const LINKS = [
  ['imprint_url', 'Imprint'],
  ['terms_url', 'Terms'],
  ['privacy_url', 'Privacy']
];

let dressedFor = ''; // the first part of the route

/** Makes a link to a page of the seller's; none to what is no https. */
export function sellersPage(href, text) {
  if (!/^https:\/\//.test(href || '')) return null;
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text);
}

/** Says where to ask about an event; null where its organiser names no place. */
export function contact({ contact_mail: mail, contact_phone: phone }) {
  const ways = [
    mail && h('a', { href: `mailto:${mail}` }, mail),
    phone && h('a', { href: `tel:${phone.replace(/[^+\d]/g, '')}` }, phone)
  ].filter(Boolean);
  return ways.length > 0 && h('span', {}, 'Questions? ', ways[0], ways[1] && [' or ', ways[1]]);
}

/** Gives the page an event's colours, or Fairgate's: tokens.css names them. */
function paint(colors) {
  const root = document.documentElement;
  root.classList.toggle('branded', Boolean(colors));
  if (!colors) return;
  for (const scheme of ['light', 'dark']) {
    for (const [name, color] of Object.entries(colors[scheme])) root.style.setProperty(`--${scheme}-${name}`, color);
  }
  root.style.setProperty('--decor', colors.accent || 'transparent');
}

/** Shows the event's colours, and below the page who sells it. `part`: what the route names, which may be an order. */
export function dress(event, part = event.event) {
  dressedFor = part;
  paint(event.colors);
  const pages = LINKS.map(([name, text]) => sellersPage(event[name], text));
  const seller = event.seller_name && h('span', {}, 'Sold by ', h('bdi', {}, event.seller_name));
  show(document.getElementById('seller'), seller, contact(event), pages);
}

/** Takes it away where the next page is about something else. */
export function undress(part) {
  if (part === dressedFor) return;
  paint(null);
  show(document.getElementById('seller'));
}
