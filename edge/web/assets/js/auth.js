// Signing in: OpenID Connect with the provider that config.json names, by code and proof key.
// A sign-in lasts two hours and is renewed while the page is open. One that has ended, because the
// device slept through it, cannot be: then the buyer is asked, and keeps place and seats.
//
// A sign-in holds in all windows of a browser: a window that has none takes over what the device keeps, and the
// windows of one person follow each other. Where two persons use one browser, each window keeps its own.

import { isWhole } from './answers.js';
import { ApiProblem, files, get, newKey, OfflineError, request } from './api.js';
import { secondsUntil } from './clock.js';
import { answerIn, authorizeAddress, begin, codeFrom, routeOr, signOutAddress } from './code-flow.js';
import { exchangeIdentity, renewIdentity } from './operations.js';
import { renewalPauseMs } from './pace.js';
import { device, onChange, tab } from './store.js';

const RENEW_AT_S = 3600; // before its end, or up to half of that later: not all buyers at once
const LOOK_MS = 30000;

const BEGUN_MAX = 8; // sign-ins that a window began and nobody finished

let leaving = null; // the way to the provider that is being found
let renewal = null; // the request that is under way
let unrenewable = ''; // a token that cannot be renewed
let failures = 0; // of renewals, in a row
let renewAgainAt = 0; // by performance.now()
let cutOff = false; // whether the last failure was the network's, which tells when it is back

const whole = (value) => (isWhole('IdentityExchanged', value) ? value : null);

/** Takes over the sign-in that the device keeps, unless this window has one, or is somebody else's. */
function adopt(shared = whole(device.get('auth'))) {
  const own = whole(tab.get('auth'));
  if (!shared || ![shared.sub, undefined].includes(tab.get('sub') ?? own?.sub)) return false;
  if (own && Date.parse(own.expires_at) >= Date.parse(shared.expires_at)) return false;
  tab.set('auth', shared);
  tab.set('sub', shared.sub);
  return true;
}

/** Calls `changed` when another window has signed this one's person in or out. */
export function followSignIn(changed) {
  adopt();
  onChange('auth', (now) => {
    const before = identity();
    if (adopt(whole(now)) && !before) changed();
  });
  onChange('sub', (now, before) => {
    if (now !== null || before !== tab.get('sub')) return;
    forget(tab);
    changed();
  });
}

/** Returns {token, expires_at, sub} while it is good for another half minute, else null. */
export function identity() {
  const saved = whole(tab.get('auth'));
  return saved && secondsUntil(saved.expires_at) > 30 ? saved : null;
}

/** Returns who was signed in last in this window, or on this device; '' when nobody was or they signed out. */
export const knownSub = () => tab.get('sub') || whole(tab.get('auth'))?.sub || device.get('sub') || '';

/** Returns the buyer's token; throws the problem `sign-in-ended` where there is none that is good. */
export function authToken() {
  const who = identity();
  if (!who) throw new ApiProblem(401, { code: knownSub() ? 'sign-in-ended' : 'unauthenticated' }, null);
  return who.token;
}

/** Returns how this deployment signs buyers in. */
async function readIdentity() {
  const { identity: provider } = await get(files.config, { retry: true });
  if (!provider?.authorize_url) throw new ApiProblem(503, { code: 'sign-in-unavailable' }, null);
  return { ...provider, redirect_uri: provider.redirect_uri || `${location.origin}/` };
}

/** Returns the sign-ins that this window began. */
const begunHere = () => [tab.get('signin') ?? []].flat();

async function leave(route) {
  const provider = await readIdentity();
  const back = new URL(provider.redirect_uri);
  if (back.origin !== location.origin) {
    location.assign(back.href + routeOr(route)); // what a window remembers, another address does not know
    return;
  }
  if (!tab.keeps()) throw new ApiProblem(0, { code: 'nothing-kept' }, null);
  const begun = begin(route, provider.issuer);
  // The place belongs to this person.
  const address = await authorizeAddress(provider, begun, provider.hint_subject ? knownSub() : '');
  // A click may come too late to stop the one before from leaving: then either's answer counts.
  tab.set('signin', [...begunHere(), begun].slice(-BEGUN_MAX));
  tab.set('signin-route', begun.route);
  location.assign(address);
}

/** Leaves for the identity provider; the buyer comes back to `route`. Throws where there is no way there. */
export function signIn(route = location.hash || `#${location.pathname}`) {
  leaving ??= leave(route).finally(() => {
    leaving = null;
  });
  return leaving;
}

/** Forgets a sign-in that has ended, but not whose it was. */
export function endSignIn() {
  if (device.get('auth')?.token === tab.get('auth')?.token) device.set('auth', null);
  tab.set('auth', null);
}

function forget(store) {
  store.set('auth', null);
  store.set('sub', null);
}

/** Forgets the sign-in and whose it was, in all windows of this person; returns where the provider does, too. */
export async function signOut() {
  if (device.get('sub') === knownSub()) forget(device);
  forget(tab);
  const provider = await readIdentity().catch(() => null);
  return provider ? signOutAddress(provider) : '';
}

/** Keeps a sign-in for this window; a new one, and a renewed one of the same person, also for the others. */
function keep(data, isNew = false) {
  for (const store of isNew || device.get('sub') === data.sub ? [tab, device] : [tab]) {
    store.set('auth', data);
    store.set('sub', data.sub);
  }
}

async function askForRenewal({ token, expires_at: ends }) {
  try {
    const { data } = await request(renewIdentity(), { token });
    if (tab.get('auth')?.token !== token) return identity() !== null; // another window was faster, or signed out
    keep(data);
    failures = 0;
    renewAgainAt = 0;
    if (Date.parse(data.expires_at) <= Date.parse(ends)) unrenewable = data.token;
    return true;
  } catch (error) {
    if ([401, 403].includes(error.status)) unrenewable = token;
    failures += 1;
    cutOff = error instanceof OfflineError;
    const pauseMs = renewalPauseMs(failures, secondsUntil(ends) * 1000, (error.retryAfterS || 0) * 1000);
    renewAgainAt = performance.now() + pauseMs;
    return false;
  }
}

/** Renews a sign-in; returns whether it was. Whether it has ended is the service's to say: this clock may be wrong. */
export async function renewSignIn() {
  const saved = whole(tab.get('auth'));
  if (!saved || saved.token === unrenewable) return false;
  renewal ??= askForRenewal(saved).finally(() => {
    renewal = null;
  });
  return renewal;
}

/** Renews the sign-in in time for as long as the page is open, also behind another window. */
export function keepSignedIn() {
  const atS = RENEW_AT_S * (1 - Math.random() / 2);
  const look = () => {
    const saved = whole(tab.get('auth'));
    if (saved && secondsUntil(saved.expires_at) < atS && performance.now() >= renewAgainAt) renewSignIn();
  };
  setInterval(look, LOOK_MS);
  addEventListener('online', () => {
    if (cutOff) renewAgainAt = 0;
    look();
  });
  document.addEventListener('visibilitychange', look);
  look();
}

/** Returns whether the address carries a provider's answer. */
export const comesBack = () => answerIn(location.search) !== null;

/**
 * Finishes a sign-in whose answer is in the address, and shows the page to which it leads.
 * An answer counts once, and only in the window that asked for it.
 */
export async function completeSignIn() {
  const answer = answerIn(location.search);
  const begun = begunHere().find(({ state }) => state === answer.state);
  tab.set('signin', null);
  history.replaceState(null, '', '/' + routeOr(location.hash, routeOr(tab.get('signin-route'))));
  if (!begun && identity()) return; // gone back to the provider's page, and on again
  const body = { code: codeFrom(answer, begun), verifier: begun.verifier, nonce: begun.nonce };
  const { data } = await request(exchangeIdentity(), { body, key: newKey(), retry: true });
  keep(data, true);
}
