// Who is signed in here: OpenID Connect by code and proof key, as for buyers, but apart from them. The token stays in
// this window alone, is sent as a header alone, and ends with the window, with "Sign out" or after two hours.

import { signal } from '@preact/signals';
import { answerIn, authorizeAddress, begin, codeFrom, signOutAddress } from '../../web/assets/js/code-flow.js';
import { Problem, send } from './send.js';

const KEPT = 'fairgate-console:signed-in';
const BEGUN = 'fairgate-console:begun';
const ENDS_BEFORE_S = 30;

const read = (key) => {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
};
const write = (key, value) => {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    throw new Problem(0, {
      code: 'nothing-kept',
      detail: 'This browser keeps nothing for this site. Allow site data.'
    });
  }
};

const good = (one) => typeof one?.token === 'string' && Date.parse(one.expires_at) > Date.now() + ENDS_BEFORE_S * 1000;

/** {token, expires_at, sub}, or null. */
export const signedIn = signal(good(read(KEPT)) ? read(KEPT) : null);

/** Whether a sign-in ended here by itself. */
export const ended = signal(false);

/** Returns the headers of a call, or throws the problem of a sign-in that has ended. */
export function credentials() {
  if (!good(signedIn.value)) {
    endSession();
    throw new Problem(401, { code: 'unauthenticated', detail: 'Your sign-in has ended. Please sign in again.' });
  }
  return { authorization: `Bearer ${signedIn.value.token}` };
}

/** Forgets a sign-in that has ended. */
export function endSession() {
  if (signedIn.value) ended.value = true;
  signedIn.value = null;
  write(KEPT, null);
}

async function provider() {
  const { identity } = await send('GET', '/config.json');
  if (!identity?.authorize_url) {
    throw new Problem(503, { code: 'sign-in-unavailable', detail: 'This deployment names no identity provider.' });
  }
  const first = identity.redirect_uri || `${location.origin}/`;
  return { ...identity, redirect_uri: `${first}console` };
}

/** Leaves for the identity provider; the person comes back to the same screen. */
export async function signIn() {
  const identity = await provider();
  const begun = begin(location.hash || '#/', identity.issuer);
  write(BEGUN, begun);
  location.assign(await authorizeAddress(identity, begun));
}

/** Forgets the sign-in here and, where the provider has an address for it, there. */
export async function signOut() {
  endSession();
  ended.value = false;
  const identity = await provider().catch(() => null);
  const address = identity ? signOutAddress(identity) : '';
  location.assign(address || '/console'); // nothing of what was asked for stays in memory
}

const NOT_SIGNED_IN = {
  'sign-in-foreign': 'That answer does not belong to a sign-in that began in this window. Sign in here.',
  'sign-in-declined': 'You did not sign in.',
  'sign-in-failed': 'The sign-in did not succeed. Try again.'
};

function codeOf(answer, begun) {
  try {
    return codeFrom(answer, begun);
  } catch ({ code }) {
    throw new Problem(0, { code, detail: NOT_SIGNED_IN[code] });
  }
}

/** Finishes the sign-in whose answer is in the address, if one is. */
export async function completeSignIn() {
  const answer = answerIn(location.search);
  if (!answer) return;
  const begun = read(BEGUN);
  write(BEGUN, null);
  history.replaceState(null, '', `/console${begun?.route ?? '#/'}`);
  if (!begun && signedIn.value) return; // gone back to the provider's page, and on again
  const body = { code: codeOf(answer, begun), verifier: begun.verifier, nonce: begun.nonce, page: 'console' };
  const exchanged = await send('POST', '/api/auth/exchange', { body });
  write(KEPT, exchanged);
  signedIn.value = exchanged;
}
