// The authorization code flow with a proof key, without its storage and its network.
// Sources: RFC 7636 (PKCE), RFC 9207 (iss), OpenID Connect Core 1.0, section 3.1.2.

import { ApiProblem, newKey } from './api.js';

/** Makes the error of a sign-in that came back without success. */
const problem = (code) => new ApiProblem(0, { code }, null);

function base64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns a page's address as a fragment of this site, the first page for anything else. */
export function routeOr(route, otherwise = '#/') {
  return typeof route === 'string' && /^#\/[\x21-\x7e]{0,500}$/.test(route) ? route : otherwise;
}

/** Makes what a browser remembers of a sign-in that begins, and nobody else knows. */
export function begin(route, issuer) {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  return { state: newKey(), nonce: newKey(), verifier, issuer, route: routeOr(route) };
}

/** Returns where the browser goes to sign in. */
export async function authorizeAddress(identity, begun, hint) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier));
  const address = new URL(identity.authorize_url);
  const asked = {
    response_type: 'code',
    scope: identity.scope || 'openid',
    client_id: identity.client_id,
    redirect_uri: identity.redirect_uri,
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256'
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  if (hint) address.searchParams.set('login_hint', hint);
  return address.href;
}

/**
 * Returns where the provider forgets the buyer, else an empty text. Source: RP-Initiated Logout 1.0, section 2;
 * who calls the address to come back to by another name (Cognito) says so.
 */
export function signOutAddress(identity) {
  if (!identity.sign_out_url) return '';
  const address = new URL(identity.sign_out_url);
  address.searchParams.set('client_id', identity.client_id);
  address.searchParams.set(identity.sign_out_return || 'post_logout_redirect_uri', identity.redirect_uri);
  return address.href;
}

/**
 * Returns the provider's answer that an address carries, null where it carries none: a link may have a `code` of its
 * own. Every answer has the state that was asked with (RFC 6749, sections 4.1.2 and 4.1.2.1).
 */
export function answerIn(search) {
  const query = new URLSearchParams(search);
  if (!query.get('state') || !(query.has('code') || query.has('error'))) return null;
  return Object.fromEntries(['code', 'state', 'error', 'iss'].map((name) => [name, query.get(name) || '']));
}

/** Returns the code of an answer to the sign-in that this window began; throws a problem for any other. */
export function codeFrom(answer, begun) {
  const ours = begun?.state && answer.state === begun.state && (!answer.iss || answer.iss === begun.issuer);
  if (!ours) throw problem('sign-in-foreign');
  if (answer.error === 'access_denied') throw problem('sign-in-declined');
  if (answer.error || !answer.code) throw problem('sign-in-failed');
  return answer.code;
}
