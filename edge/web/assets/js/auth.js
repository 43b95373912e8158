// Signing in: OpenID Connect with the demonstration identity provider, id token in the fragment.
// A sign-in lasts two hours and is renewed while the page is open. One that has ended, because the
// device slept through it, cannot be: then the buyer is asked, and keeps place and seats.

import { ApiProblem, newKey, paths, request } from './api.js';
import { secondsUntil } from './clock.js';
import { tab } from './store.js';

const RENEW_AT_S = 3600; // before its end, or up to half of that later: not all buyers at once
const LOOK_MS = 30000;

let renewal = null; // the request that is under way
let unrenewable = ''; // a token that cannot be renewed

/** Returns {token, expires_at, sub} while it is good for another half minute, else null. */
export function identity() {
  const saved = tab.get('auth');
  return saved && secondsUntil(saved.expires_at) > 30 ? saved : null;
}

/** Returns who was signed in last in this tab, '' when nobody was or they signed out. */
export const knownSub = () => tab.get('sub') || tab.get('auth')?.sub || '';

/** Returns the buyer's token; throws the problem `sign-in-ended` where there is none that is good. */
export function authToken() {
  const who = identity();
  if (!who) throw new ApiProblem(401, { code: knownSub() ? 'sign-in-ended' : 'unauthenticated' }, null);
  return who.token;
}

/** Leaves for the identity provider; the buyer comes back to `route`. */
export function signIn(route = location.hash) {
  const nonce = newKey();
  tab.set('signin', { nonce, route });
  const query = new URLSearchParams({ nonce, redirect_uri: '/' });
  if (knownSub()) query.set('login_hint', knownSub()); // the place belongs to this person
  location.assign(`/idp/authorize?${query}`);
}

/** Forgets a sign-in that has ended, but not whose it was. */
export function endSignIn() {
  tab.set('auth', null);
}

export function signOut() {
  endSignIn();
  tab.set('sub', null);
}

function keep(data) {
  tab.set('auth', data);
  tab.set('sub', data.sub);
}

async function askForRenewal({ token, expires_at: ends }) {
  try {
    const { data } = await request('POST', paths.renew, { token });
    if (tab.get('auth')?.token !== token) return false; // signed out meanwhile
    keep(data);
    if (Date.parse(data.expires_at) <= Date.parse(ends)) unrenewable = data.token;
    return true;
  } catch (error) {
    if ([401, 403].includes(error.status)) unrenewable = token;
    return false;
  }
}

/** Renews a sign-in; returns whether it was. Whether it has ended is the service's to say: this clock may be wrong. */
export async function renewSignIn() {
  const saved = tab.get('auth');
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
    const saved = tab.get('auth');
    if (saved && secondsUntil(saved.expires_at) < atS) renewSignIn();
  };
  setInterval(look, LOOK_MS);
  addEventListener('online', look);
  document.addEventListener('visibilitychange', look);
  look();
}

/** Finishes a sign-in whose answer stands in the address; returns false when there is none. */
export async function completeSignIn() {
  const answer = new URLSearchParams(location.hash.slice(1));
  if (!answer.has('id_token') && !answer.has('error')) return false;
  const pending = tab.get('signin');
  tab.set('signin', null);
  history.replaceState(null, '', '/' + (pending?.route || '#/'));
  const idToken = answer.get('id_token');
  if (!pending || !idToken) throw new Error('The sign-in was not finished. Please sign in again.');
  const { data } = await request('POST', paths.exchange, {
    body: { id_token: idToken, nonce: pending.nonce },
    key: newKey(),
    retry: true
  });
  keep(data);
  return true;
}
