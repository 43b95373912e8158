// The frame around every page: its title and focus, who is signed in, and the words on trouble.
// Views import this; main.js imports both, and says here how to try again.

import { endSignIn, identity, knownSub, signIn, signOut } from './auth.js';
import { announce, h, notice, show } from './dom.js';
import { LANGUAGES } from './language.js';
import { links } from './links.js';
import { explain } from './problems.js';
import { choose, language, readyWords, say, sayWith } from './words.js';

const LOADING_AFTER_MS = 400;
const OWN_NAMES = 'English Deutsch Français Español Italiano Nederlands Polski 日本語 العربية'.split(' '); // of LANGUAGES

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
    const choosing = document.getElementById('language').contains(document.activeElement);
    if (heading && !choosing) {
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
  const loading = h('p', { class: 'loading', role: 'status' }, say('page-loading'));
  loadingTimer = setTimeout(() => showPage(say('page-loading-title'), loading), LOADING_AFTER_MS);
}

/** Shows that the page has no words: neither the visitor's language nor English could be had. */
export function showLost() {
  const lost = document.getElementById('lost');
  // What the page says without scripts, in all languages, which is mere text here.
  const all = document.querySelector('noscript').textContent;
  [, lost.textContent] = new RegExp(`lang="${document.documentElement.lang}"[^>]*>([^<]*)`).exec(all);
  lost.hidden = false;
}

/** Makes the choice of a language. */
function languageSelect() {
  const options = LANGUAGES.map((tag, i) => h('option', { value: tag, lang: tag }, OWN_NAMES[i]));
  const onchange = async () => {
    try {
      await choose(select.value);
      openAgain();
    } catch {
      select.value = language(); // which could not be left
    }
  };
  const select = h('select', { onchange }, options);
  return select;
}

/** Shows what stands around all pages, in the language that is spoken now; what has the focus keeps it. */
export function showFrame() {
  document.getElementById('skip').textContent = say('page-skip');
  document.getElementById('offline').textContent = say('page-offline');
  const place = document.getElementById('language');
  if (!place.firstChild) place.append(languageSelect());
  const select = place.firstChild;
  select.setAttribute('aria-label', say('page-language'));
  select.value = language();
  place.dataset.language = language().toUpperCase();
  showAccount();
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
      ? h('a', { class: 'button quiet', href: links.orders }, say('page-my-orders'))
      : h('a', { class: 'button quiet', href: links.find }, say('page-find-tickets')),
    who && h('span', { class: 'who' }, who.sub.replace(/^.*[|:]/, '').slice(0, 12)),
    who
      ? h('button', { class: 'quiet', onclick: leave }, say('page-sign-out'))
      : h('button', { class: 'quiet', onclick: () => goToSignIn() }, say('page-sign-in'))
  );
}

const THEIRS = ['held', 'order', 'orders'];

/** Says why the page of this name needs a sign-in. */
function whySignIn(name, again) {
  if (name === 'accept') return say('sign-in-why-accept');
  if (again) return say('sign-in-why-ended');
  return say(THEIRS.includes(name) ? 'sign-in-why-theirs' : 'sign-in-why-wait');
}

/** Leaves for the identity provider, to come back to `route`; shows why where that is not possible. */
export function goToSignIn(route) {
  signIn(route).catch(async (error) => {
    await signInWords();
    showFailure(error);
  });
}

/** Loads the words for signing in, which few visitors of a first page need; without them a page says less. */
export const signInWords = () => readyWords().catch(() => {});

/** Leads to the tickets of who cannot sign in as they did. */
export const findLine = () =>
  h(
    'p',
    { class: 'dim small find-line' },
    sayWith('sign-in-lost-tickets', { link: h('a', { href: links.find }, say('sign-in-lost-tickets-link')) })
  );

/** Asks for a sign-in, or for a new one where the last has ended; says why for the page of this name. */
export function showSignIn(name = '') {
  const again = knownSub() !== '';
  endSignIn();
  showAccount();
  const heading = say(again ? 'sign-in-heading-again' : 'sign-in-heading');
  const text = say(again ? 'sign-in-again' : 'page-sign-in');
  const button = h('button', { class: 'primary', onclick: () => goToSignIn() }, text);
  const why = h('p', {}, whySignIn(name, again));
  const lost = name !== 'accept' && findLine(); // no mail finds what somebody else has bought
  showCard(say('page-sign-in'), heading, why, h('div', { class: 'buttons' }, button), lost);
  if (again) announce(heading);
}

/** Shows why a page cannot be shown, what happens by itself, and the way on. */
export function showFailure(error, next) {
  if (error.name === 'AbortError') return;
  if (error.signedOut) {
    showSignIn();
    return;
  }
  const title = say(error.code === 'not-found' ? 'page-not-found' : 'page-failed');
  showCard(
    title,
    title,
    notice('bad', explain(error)),
    next && h('p', { class: 'dim' }, next),
    h(
      'div',
      { class: 'buttons' },
      h('button', { class: 'primary', onclick: () => openAgain() }, say('page-try-again')),
      h('a', { class: 'button', href: links.events }, say('page-all-events'))
    )
  );
}

/** Shows why the buyer who comes back from the identity provider is not signed in. */
export function showSignInFailure(error) {
  const title = say('sign-in-failed');
  const again = h('button', { class: 'primary', onclick: () => goToSignIn() }, say('sign-in-again'));
  const lookAround = () => {
    location.hash = links.events; // which may stand there already
    openAgain();
  };
  const around = h('button', { onclick: lookAround }, say('page-all-events'));
  const kind = error.code === 'sign-in-declined' ? 'info' : 'bad';
  showCard(title, title, notice(kind, explain(error)), h('div', { class: 'buttons' }, again, around));
  announce(title);
}
