// Start and routes, each a fragment: `#/`, `#/e/<event>`, `…/preview/<token>` of a draft, `…/rules`, `…/wait`, `…/in`,
// `…/sale[/<section>]`, `…/checkout`, `#/orders`, `#/o/<order>`, `#/find`, `#/found/<token>`, `#/t/<order>` (tickets
// passed on to one), `#/a/<token>` (an offer of one). An event also has an address of its own, `/e/<event>`.

import { ApiProblem, OfflineError } from './api.js';
import { comesBack, completeSignIn, followSignIn, identity, keepSignedIn, renewSignIn } from './auth.js';
import { undress } from './brand.js';
import { warmUp } from './format.js';
import { loaded } from './late.js';
import { links } from './links.js';
import {
  onTryAgain,
  showAccount,
  showFailure,
  showFrame,
  showLoadingSoon,
  showLost,
  showSignIn,
  showSignInFailure,
  signInWords
} from './page.js';
import { tab } from './store.js';
import * as events from './view-events.js';
import * as landing from './view-landing.js';
import { beginWords, readyWords } from './words.js';

const VIEWS = [
  [/^\/?$/, 'events', () => events],
  [/^\/e\/([^/]+)$/, 'landing', () => landing],
  [/^\/e\/([^/]+)\/preview\/([^/]+)$/, 'preview', () => landing],
  [/^\/e\/([^/]+)\/rules$/, 'rules', () => import('./view-rules.js')],
  [/^\/e\/([^/]+)\/wait$/, 'wait', () => import('./view-wait.js')],
  [/^\/e\/([^/]+)\/in$/, 'in', () => import('./view-in.js')],
  [/^\/e\/([^/]+)\/sale(?:\/([^/]+))?$/, 'sale', () => import('./view-sale.js')],
  [/^\/e\/([^/]+)\/checkout$/, 'checkout', () => import('./view-checkout.js')],
  [/^\/find$/, 'find', () => import('./view-find.js')],
  [/^\/found(?:\/([^/]+))?$/, 'found', () => import('./view-found.js')],
  [/^\/orders$/, 'orders', () => import('./view-orders.js')],
  [/^\/(?:o|orders?)\/([^/]+)$/, 'order', () => import('./view-order.js')],
  [/^\/t\/([^/]+)$/, 'held', () => import('./view-held.js')],
  [/^\/a\/([^/]+)$/, 'accept', () => import('./view-accept.js')]
];
const SIGNED_IN = new Set(['wait', 'in', 'sale', 'checkout', 'orders', 'order', 'held', 'accept']);
const FIRST = ['events', 'landing', 'preview', 'unreadable']; // need only the first words
const AFTER_WAITING = ['in', 'sale', 'checkout', 'order'];
const MAP = [() => import('./map/venue-map.js'), () => import('./map/gl.js')];

let current = null; // {key, full, ends: AbortController, update}

const unreadable = {
  open() {
    throw new ApiProblem(404, { code: 'not-found' }, null);
  }
};

/** Returns the view that an address names, {name, load, args}, or undefined. */
function routeOf(path) {
  for (const [pattern, name, load] of VIEWS) {
    const match = pattern.exec(path);
    if (!match) continue;
    try {
      return { name, load, args: match.slice(1).map((part) => part && decodeURIComponent(part)) };
    } catch {
      return { name: 'unreadable', load: () => unreadable, args: [path] }; // a % that begins nothing
    }
  }
  return undefined;
}

async function reachable() {
  try {
    return (await fetch('/', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Loads a view and its words. What cannot be had twice is had with the page itself, loaded anew: places are kept. */
async function viewBy({ name, load }, signal) {
  try {
    const [view] = await Promise.all([loaded(load, signal), FIRST.includes(name) || readyWords()]);
    tab.set('reloaded', null);
    return view;
  } catch {
    if (tab.get('reloaded') || !(await reachable()) || signal.aborted) throw new OfflineError();
    tab.set('reloaded', true);
    location.reload();
    return new Promise(() => {}); // until the page goes
  }
}

/** Loads what follows the waiting room while the buyer waits; what fails is loaded when it is needed. */
function loadAhead() {
  const views = VIEWS.filter(([, name]) => AFTER_WAITING.includes(name)).map(([, , load]) => load);
  for (const load of [...views, ...MAP, readyWords, () => readyWords('map')]) load().catch(() => {});
}

async function open(again = false) {
  const ofEvent = location.pathname.startsWith('/e/');
  if (ofEvent && location.hash) history.replaceState(history.state, '', `/${location.hash}`); // elsewhere by now
  const route = routeOf(ofEvent && !location.hash ? location.pathname : location.hash.slice(1).split('?')[0]);
  if (!route) {
    location.replace(links.events);
    return;
  }
  const { name, args } = route;
  const key = `${name}/${args[0]}`;
  const full = `${name}/${args.join('/')}`;
  if (!again && current?.full === full) return; // another spelling of what is open
  if (!again && current?.key === key && current.update) {
    current.full = full;
    current.update(...args);
    return;
  }
  current?.ends.abort();
  const visit = { key, full, ends: new AbortController(), update: null };
  current = visit;
  undress(args[0]);
  showAccount();
  if (SIGNED_IN.has(name) && !identity() && !(await renewSignIn())) {
    await signInWords();
    if (!visit.ends.signal.aborted) showSignIn(name);
    return;
  }
  if (visit.ends.signal.aborted) return;
  showLoadingSoon();
  try {
    const view = await viewBy(route, visit.ends.signal);
    visit.update = await view.open(visit.ends.signal, ...args);
    if (name === 'wait') loadAhead();
  } catch (error) {
    if (visit.ends.signal.aborted) return;
    showFailure(error);
    addEventListener('online', () => current === visit && open(true), { once: true }); // as the page says above
  }
}

function watchNetwork() {
  const showConnection = () => {
    document.getElementById('offline').hidden = navigator.onLine;
  };
  addEventListener('online', showConnection);
  addEventListener('offline', showConnection);
  showConnection();
}

/** Returns whether the buyer, back from the identity provider, is signed in; shows why not. */
async function finishSignIn() {
  showLoadingSoon();
  try {
    await completeSignIn();
    return true;
  } catch (error) {
    showAccount();
    await signInWords();
    showSignInFailure(error);
    return false;
  }
}

async function start() {
  watchNetwork();
  onTryAgain(() => open(true));
  try {
    const begun = beginWords(showFrame);
    warmUp(); // while the words still come
    await begun;
  } catch {
    showLost();
    return;
  }
  document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault(); // the fragment is the route
    document.getElementById('main').focus();
  });
  followSignIn(() => open(true));
  const good = !comesBack() || (await finishSignIn());
  addEventListener('hashchange', () => open());
  addEventListener('popstate', () => location.hash || open()); // back at an event's own address
  addEventListener('pageshow', ({ persisted }) => persisted && open(true)); // as it was left, buttons and all
  keepSignedIn();
  if (good) await open();
}

start();
