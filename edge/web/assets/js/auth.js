// Signing in: OpenID Connect with the demonstration identity provider, id token in the fragment.

import { ApiProblem, newKey, paths, request } from './api.js';
import { secondsUntil } from './clock.js';
import { tab } from './store.js';

/** Returns {token, expires_at, sub} while it is good for another half minute, else null. */
export function identity() {
  const saved = tab.get('auth');
  return saved && secondsUntil(saved.expires_at) > 30 ? saved : null;
}

/** Returns the buyer's token; throws the problem `unauthenticated` when the sign-in has ended. */
export function authToken() {
  const who = identity();
  if (!who) throw new ApiProblem(401, { code: 'unauthenticated' }, null);
  return who.token;
}

/** Leaves for the identity provider; the buyer comes back to `route`. */
export function signIn(route = location.hash) {
  const nonce = newKey();
  tab.set('signin', { nonce, route });
  location.assign(`/idp/authorize?nonce=${nonce}&redirect_uri=${encodeURIComponent('/')}`);
}

export function signOut() {
  tab.set('auth', null);
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
  tab.set('auth', data);
  return true;
}
