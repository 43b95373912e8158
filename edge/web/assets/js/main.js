// Start and routes: `#/`, `#/e/<event>`, `…/wait`, `…/sale[/<section>]`, `…/checkout`, `#/o/<order>`.

import { completeSignIn, identity, signIn, signOut } from './auth.js';
import { h, notice, show } from './dom.js';
import { explain } from './problems.js';

const VIEWS = [
  [/^\/?$/, 'events', () => import('./view-events.js')],
  [/^\/e\/([^/]+)$/, 'landing', () => import('./view-landing.js')],
  [/^\/e\/([^/]+)\/wait$/, 'wait', () => import('./view-wait.js')],
  [/^\/e\/([^/]+)\/sale(?:\/([^/]+))?$/, 'sale', () => import('./view-sale.js')],
  [/^\/e\/([^/]+)\/checkout$/, 'checkout', () => import('./checkout.js')],
  [/^\/(?:o|orders?)\/([^/]+)$/, 'order', () => import('./view-order.js')]
];
const SIGNED_IN = new Set(['wait', 'sale', 'checkout', 'order']);

const main = document.getElementById('main');
let current = null; // {name, key, ends: AbortController, update}
let slow = 0; // shows "Loading…" unless a page comes first
let said = ''; // the last title, so that focus moves only with the page

function account() {
  const who = identity();
  show(
    document.getElementById('account'),
    who
      ? [
          h('span', { class: 'who' }, who.sub.replace(/^.*[|:]/, '').slice(0, 12)),
          h(
            'button',
            {
              class: 'quiet',
              onclick: () => {
                signOut();
                location.hash = '#/';
                location.reload();
              }
            },
            'Sign out'
          )
        ]
      : h('button', { class: 'quiet', onclick: () => signIn() }, 'Sign in')
  );
}

/** Shows a page: sets the title, moves focus to its heading. */
export function page(title, ...content) {
  clearTimeout(slow);
  document.title = `${title} – Fairgate`;
  show(main, ...content);
  if (said !== title) {
    said = title;
    const heading = main.querySelector('h1');
    if (heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
    scrollTo(0, 0);
  }
}

export function failed(error, retry = () => open(true)) {
  if (error.name === 'AbortError') return;
  if (error.code === 'unauthenticated') {
    signOut();
    account();
  }
  page(
    'Something is in the way',
    h(
      'section',
      { class: 'card narrow' },
      h('h1', {}, error.code === 'not-found' ? 'Not found' : 'Something is in the way'),
      notice('bad', explain(error)),
      h(
        'div',
        { class: 'buttons' },
        error.code === 'unauthenticated'
          ? h('button', { class: 'primary', onclick: () => signIn() }, 'Sign in again')
          : h('button', { class: 'primary', onclick: retry }, 'Try again'),
        h('a', { class: 'button', href: '#/' }, 'All events')
      )
    )
  );
}

async function open(anew = false) {
  const path = location.hash.slice(1).split('?')[0];
  const match = VIEWS.map(([pattern, name, load]) => ({ name, load, found: pattern.exec(path) })).find((v) => v.found);
  if (!match) {
    location.replace('#/');
    return;
  }
  const args = match.found.slice(1).map((a) => a && decodeURIComponent(a));
  const key = `${match.name}/${args[0]}`;
  if (!anew && current?.key === key && current.update) {
    current.update(...args);
    return;
  }
  current?.ends.abort();
  const mine = (current = { key, ends: new AbortController(), update: null });
  account();
  if (SIGNED_IN.has(match.name) && !identity()) {
    page(
      'Sign in',
      h(
        'section',
        { class: 'card narrow' },
        h('h1', {}, 'Please sign in'),
        h(
          'p',
          {},
          'One person has one place in the waiting room, so we need to know who you are. The demonstration lets you in as a guest.'
        ),
        h('button', { class: 'primary', onclick: () => signIn() }, 'Sign in')
      )
    );
    return;
  }
  clearTimeout(slow);
  slow = setTimeout(() => page('Loading', h('p', { class: 'loading', role: 'status' }, 'Loading…')), 400);
  try {
    const view = await match.load();
    mine.update = await view.open(mine.ends.signal, ...args);
  } catch (error) {
    if (!mine.ends.signal.aborted) failed(error);
  }
}

function watchNetwork() {
  const tell = () => {
    document.getElementById('offline').hidden = navigator.onLine;
  };
  addEventListener('online', tell);
  addEventListener('offline', tell);
  tell();
}

async function start() {
  watchNetwork();
  document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault(); // the fragment is the route
    main.focus();
  });
  try {
    await completeSignIn();
  } catch (error) {
    account();
    failed(error);
    addEventListener('hashchange', () => open());
    return;
  }
  addEventListener('hashchange', () => open());
  await open();
}

start();
