// Whose pages these are: the event's colours and logo, and below its pages who sells, where to ask, and the seller's
// own pages.

import { h, show } from './dom.js';
import { say, sayWith } from './words.js';

const LINKS = [
  ['imprint_url', 'seller-imprint'],
  ['terms_url', 'seller-terms'],
  ['privacy_url', 'seller-privacy']
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
    phone && (/\d/.test(phone) ? h('a', { href: `tel:${phone.replace(/[^+\d]/g, '')}` }, phone) : h('bdi', {}, phone))
  ].filter(Boolean);
  if (ways.length === 0) return null;
  const [mailTo, call] = ways;
  return h(
    'span',
    {},
    call
      ? sayWith('seller-questions-either', { mail: mailTo, phone: call })
      : sayWith('seller-questions', { way: mailTo })
  );
}

/** Gives the page an event's font and colours, or Fairgate's: tokens.css names them. */
function paint({ colors, font } = {}) {
  const root = document.documentElement;
  root.dataset.font = font || 'sans';
  root.classList.toggle('branded', Boolean(colors));
  if (!colors) return;
  for (const scheme of ['light', 'dark']) {
    for (const [name, color] of Object.entries(colors[scheme])) root.style.setProperty(`--${scheme}-${name}`, color);
  }
  root.style.setProperty('--accent', colors.accent || 'transparent');
}

let own; // what the header has of Fairgate

/** Puts an event's logo in the place of Fairgate's, or Fairgate's back. */
function sign({ logo, seller_name: seller, name } = {}) {
  const brand = document.querySelector('.brand');
  own ||= [...brand.childNodes];
  brand.classList.toggle('signed', Boolean(logo));
  const onerror = () => show(brand, h('bdi', {}, seller || name));
  show(brand, logo ? h('img', { class: 'logo', src: logo, alt: seller || name, onerror }) : own);
}

/**
 * Shows the event's colours and logo, and below the page who sells it. `part`: what the route names, which may be an
 * order.
 */
export function dress(event, part = event.event) {
  dressedFor = part;
  paint(event);
  sign(event);
  const pages = LINKS.map(([name, text]) => sellersPage(event[name], say(text)));
  const seller =
    event.seller_name && h('span', {}, sayWith('seller-sold-by', { name: h('bdi', {}, event.seller_name) }));
  show(document.getElementById('seller'), seller, contact(event), pages);
}

/** Takes it away where the next page is about something else. */
export function undress(part) {
  if (part === dressedFor) return;
  paint();
  sign();
  show(document.getElementById('seller'));
}
