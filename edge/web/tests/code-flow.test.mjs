import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { answerIn, authorizeAddress, begin, codeFrom, routeOr, signOutAddress } from '../assets/js/code-flow.js';

globalThis.crypto ??= webcrypto; // as browsers have it; Node.js since its version 19

const IDENTITY = {
  issuer: 'https://id.example',
  client_id: 'tickets',
  authorize_url: 'https://id.example/oauth2/authorize?tenant=a%26b',
  redirect_uri: 'https://tickets.example/'
};

test('a sign-in begins with secrets of its own each time', () => {
  const first = begin('#/e/final/wait', IDENTITY.issuer);
  const second = begin('#/e/final/wait', IDENTITY.issuer);
  assert.match(first.verifier, /^[A-Za-z0-9_-]{43}$/); // RFC 7636, section 4.1
  assert.match(first.state, /^[0-9a-f]{32}$/);
  assert.match(first.nonce, /^[0-9a-f]{32}$/);
  assert.equal(first.route, '#/e/final/wait');
  for (const name of ['verifier', 'state', 'nonce']) assert.notEqual(first[name], second[name]);
  assert.notEqual(first.state, first.nonce);
});

test('the provider is asked for a code, with the challenge and not the verifier', async () => {
  const begun = begin('#/', IDENTITY.issuer);
  const address = new URL(await authorizeAddress(IDENTITY, begun, 'guest|1'));
  assert.equal(address.origin + address.pathname, 'https://id.example/oauth2/authorize');
  assert.deepEqual(Object.fromEntries(address.searchParams), {
    tenant: 'a&b',
    response_type: 'code',
    scope: 'openid',
    client_id: 'tickets',
    redirect_uri: 'https://tickets.example/',
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: createHash('sha256').update(begun.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: 'guest|1'
  });
  assert.ok(!address.href.includes(begun.verifier));
  assert.ok(!(await authorizeAddress(IDENTITY, begun, '')).includes('login_hint'));
});

test('a challenge is that of the standard', async () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'; // RFC 7636, appendix B
  const address = new URL(await authorizeAddress(IDENTITY, { state: '', nonce: '', verifier }, ''));
  assert.equal(address.searchParams.get('code_challenge'), 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});

test('a buyer returns to a page of this site only', () => {
  for (const route of ['#/', '#/e/final/sale/A%20B', '#/o/ord_1']) assert.equal(routeOr(route), route);
  const elsewhere = ['', '/', '//evil.example', 'https://evil.example/', '#evil', '#/ x', null, undefined, 7, {}];
  for (const route of [...elsewhere, `#/${'x'.repeat(501)}`]) assert.equal(routeOr(route), '#/', String(route));
});

test('the provider is told whose sign-out it is and where to send the buyer back to', () => {
  const address = signOutAddress({ ...IDENTITY, sign_out_url: 'https://id.example/logout?a=b' });
  assert.equal(
    address,
    'https://id.example/logout?a=b&client_id=tickets&post_logout_redirect_uri=https%3A%2F%2Ftickets.example%2F'
  );
  assert.equal(signOutAddress({ ...IDENTITY, sign_out_url: '' }), '');
  const cognito = { ...IDENTITY, sign_out_url: 'https://id.example/logout', sign_out_return: 'logout_uri' };
  assert.equal(
    signOutAddress(cognito),
    'https://id.example/logout?client_id=tickets&logout_uri=https%3A%2F%2Ftickets.example%2F'
  );
});

test('an address carries an answer or it does not', () => {
  assert.equal(answerIn(''), null);
  assert.equal(answerIn('?utm_source=mail'), null);
  assert.deepEqual(answerIn('?code=a%2Fb&state=s&iss=i'), { code: 'a/b', state: 's', error: '', iss: 'i' });
  assert.deepEqual(answerIn('?error=access_denied&state=s'), { code: '', state: 's', error: 'access_denied', iss: '' });
  const links = ['?code=SPRING', '?state=bavaria', '?error=1', '?code=SPRING&error=1', '?code=SPRING&state='];
  for (const link of links) assert.equal(answerIn(link), null, link);
});

const begun = { state: 's1', nonce: 'n', verifier: 'v', issuer: IDENTITY.issuer };
const codeOf = (answer, pending = begun) => {
  try {
    return codeFrom({ code: 'c', state: 's1', error: '', iss: '', ...answer }, pending);
  } catch (error) {
    return error.code;
  }
};

test('a code counts in the window that asked for it, and nowhere else', () => {
  assert.equal(codeOf({}), 'c');
  assert.equal(codeOf({ iss: IDENTITY.issuer }), 'c');
  assert.equal(codeOf({ state: 's2' }), 'sign-in-foreign');
  assert.equal(codeOf({ state: '' }), 'sign-in-foreign');
  assert.equal(codeOf({}, null), 'sign-in-foreign');
  assert.equal(codeOf({ state: '' }, { ...begun, state: '' }), 'sign-in-foreign');
  assert.equal(codeOf({ state: undefined }, {}), 'sign-in-foreign');
  assert.equal(codeOf({ iss: 'https://other.example' }), 'sign-in-foreign');
});

test('a refusal of the provider is told as what it is, to its own window', () => {
  assert.equal(codeOf({ error: 'access_denied', code: '' }), 'sign-in-declined');
  assert.equal(codeOf({ error: 'server_error', code: '' }), 'sign-in-failed');
  assert.equal(codeOf({ error: 'server_error' }), 'sign-in-failed');
  assert.equal(codeOf({ code: '' }), 'sign-in-failed');
  assert.equal(codeOf({ error: 'access_denied', code: '', state: 's2' }), 'sign-in-foreign');
});
