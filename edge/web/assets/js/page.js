// The frame around every page: its title and focus, who is signed in, and the words on trouble.
// Views import this; main.js imports both, and says here how to try again.

import { endSignIn, identity, knownSub, signIn, signOut } from './auth.js';
import { announce, h, notice, show } from './dom.js';
import { links } from './links.js';
import { explain } from './problems.js';

const LOADING_AFTER_MS = 400;

const main = document.getElementById('main');
let loadingTimer = 0; // shows "Loading…" unless a page comes first
let shownTitle = ''; // focus moves only with the page
let openAgain = () => location.reload();

/** Sets what "Try again" does. */
export function onTryAgain(open) {
  openAgain = open;
}

/** Shows a page: sets the title, moves focus to its heading. */
export function showPage(title, ...content) {
  clearTimeout(loadingTimer);
  document.title = `${title} – Fairgate`;
  show(main, ...content);
  if (shownTitle !== title) {
    shownTitle = title;
    const heading = main.querySelector('h1');
    if (heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
    scrollTo(0, 0);
  }
}

/** Shows a page of one narrow card under a heading. */
export function showCard(title, heading, ...content) {
  showPage(title, h('section', { class: 'card narrow' }, h('h1', {}, heading), ...content));
}

/** Shows that a page loads, unless it is there before anybody would notice. */
export function showLoadingSoon() {
  clearTimeout(loadingTimer);
  const loading = h('p', { class: 'loading', role: 'status' }, 'Loading…');
  loadingTimer = setTimeout(() => showPage('Loading', loading), LOADING_AFTER_MS);
}

/** Shows who is signed in, with the way in or out. */
export function showAccount() {
  const who = identity();
  const leave = async () => {
    const elsewhere = await signOut();
    location.hash = links.events;
    if (elsewhere) location.assign(elsewhere);
    else location.reload();
  };
  show(
    document.getElementById('account'),
    who
      ? h('a', { class: 'button quiet', href: links.orders }, 'My orders')
      : h('a', { class: 'button quiet', href: links.find }, 'Find my tickets'),
    who && h('span', { class: 'who' }, who.sub.replace(/^.*[|:]/, '').slice(0, 12)),
    who
      ? h('button', { class: 'quiet', onclick: leave }, 'Sign out')
      : h('button', { class: 'quiet', onclick: () => goToSignIn() }, 'Sign in')
  );
}

const WHO = 'One person has one place in the waiting room, so we need to know who you are.';
const THEIRS = 'Orders and tickets are shown to whom they belong alone, so we need to know who you are.';
const WHY = {
  accept:
    'Somebody passes a ticket on to you. Sign in to see it and to take it: ' +
    'from then on it stands under “My orders”. Nothing is charged.',
  held: THEIRS,
  order: THEIRS,
  orders: THEIRS
};
const KEPT =
  'Your sign-in has ended. That alone costs you nothing: your place in the waiting room and seats that you hold ' +
  'are there until their own time is over. Please sign in as the same person.';

/** Leaves for the identity provider, to come back to `route`; shows why where that is not possible. */
export function goToSignIn(route) {
  signIn(route).catch(showFailure);
}

/** Leads to the tickets of who cannot sign in as they did. */
export const findLine = () =>
  h(
    'p',
    { class: 'dim small find-line' },
    'Have you lost your tickets? ',
    h('a', { href: links.find }, 'Find them by e-mail'),
    '.'
  );

/** Asks for a sign-in, or for a new one where the last has ended; says why for the page of this name. */
export function showSignIn(name = '') {
  const again = knownSub() !== '';
  endSignIn();
  showAccount();
  const heading = again ? 'Please sign in again' : 'Please sign in';
  const button = h('button', { class: 'primary', onclick: () => goToSignIn() }, again ? 'Sign in again' : 'Sign in');
  const why = name === 'accept' ? WHY.accept : again ? KEPT : WHY[name] || WHO;
  const lost = name !== 'accept' && findLine(); // no mail finds what somebody else has bought
  showCard('Sign in', heading, h('p', {}, why), h('div', { class: 'buttons' }, button), lost);
  if (again) announce(heading);
}

/** Shows why a page cannot be shown, what happens by itself, and the way on. */
export function showFailure(error, next) {
  if (error.name === 'AbortError') return;
  if (error.signedOut) {
    showSignIn();
    return;
  }
  const title = 'Something is in the way';
  showCard(
    title,
    error.code === 'not-found' ? 'Not found' : title,
    notice('bad', explain(error)),
    next && h('p', { class: 'dim' }, next),
    h(
      'div',
      { class: 'buttons' },
      h('button', { class: 'primary', onclick: () => openAgain() }, 'Try again'),
      h('a', { class: 'button', href: links.events }, 'All events')
    )
  );
}

/** Shows why the buyer who comes back from the identity provider is not signed in. */
export function showSignInFailure(error) {
  const title = 'You are not signed in';
  const again = h('button', { class: 'primary', onclick: () => goToSignIn() }, 'Sign in again');
  const lookAround = () => {
    location.hash = links.events; // which may stand there already
    openAgain();
  };
  const around = h('button', { onclick: lookAround }, 'All events');
  const kind = error.code === 'sign-in-declined' ? 'info' : 'bad';
  showCard(title, title, notice(kind, explain(error)), h('div', { class: 'buttons' }, again, around));
  announce(title);
}
