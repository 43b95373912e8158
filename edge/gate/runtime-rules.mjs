// What CloudFront Functions runtime 2.0 refuses, as ESLint rules.
//
// Source: CloudFront Developer Guide, functions-javascript-runtime-20, and what the engine (njs)
// was measured to refuse. Node accepts all of it, so nothing but these rules would notice.

const words = (text) => text.trim().split(/\s+/);

const missingMethods = words(`
  at flat flatMap fromEntries localeCompare matchAll replaceAll randomBytes timingSafeEqual
`);

const banned = {
  ForOfStatement: 'for-of',
  'ForOfStatement[await=true]': 'for-await',
  ObjectPattern: 'destructuring',
  ArrayPattern: 'destructuring',
  SpreadElement: 'spread',
  AssignmentPattern: 'default parameters',
  ClassDeclaration: 'classes',
  ClassExpression: 'classes',
  ':function[generator=true]': 'generators',
  ChainExpression: 'optional chaining',
  "AssignmentExpression[operator='??=']": 'logical assignment',
  "AssignmentExpression[operator='||=']": 'logical assignment',
  "AssignmentExpression[operator='&&=']": 'logical assignment',
  'CatchClause[param=null]': 'catch without a binding',
  'Literal[bigint]': 'BigInt',
  'Literal[regex.flags=/[suvdy]/]': 'these regular expression flags',
  ':matches(CallExpression, NewExpression) > AwaitExpression': 'await inside call arguments',
  ':matches(CallExpression, NewExpression) > :not(:function) AwaitExpression': 'await inside call arguments',
  ImportExpression: 'dynamic import',
  "CallExpression[callee.object.name='console'][arguments.length>1]": 'console.log of more than one thing',
  [`MemberExpression[computed=false][property.name=/^(${missingMethods.join('|')})$/]`]: 'this method',
  "MemberExpression[object.name='Math'][property.name='random']": 'Math.random (it is guessable)'
};

const globals = words(`
  JSON Math Number String Object Array Boolean Date Error TypeError RangeError RegExp Promise
  Symbol Buffer TextEncoder TextDecoder atob btoa ArrayBuffer DataView Uint8Array Uint16Array
  Uint32Array Int8Array Int16Array Int32Array Float32Array Float64Array parseInt parseFloat isNaN
  isFinite Infinity NaN undefined encodeURIComponent decodeURIComponent encodeURI decodeURI console
`);

const missing = words(`
  Map Set WeakMap WeakSet WeakRef Proxy Reflect BigInt BigInt64Array BigUint64Array Intl URL
  Function eval Atomics SharedArrayBuffer AggregateError FinalizationRegistry globalThis require
  process setTimeout setInterval fetch
`);

export const runtimeConfig = {
  languageOptions: {
    ecmaVersion: 2022,
    sourceType: 'module',
    globals: Object.fromEntries([...globals.map((name) => [name, 'readonly']), ...missing.map((name) => [name, 'off'])])
  },
  linterOptions: { noInlineConfig: true },
  rules: {
    'no-restricted-syntax': [
      'error',
      ...Object.entries(banned).map(([selector, what]) => ({
        selector,
        message: `The edge runtime refuses ${what}.`
      }))
    ],
    'no-undef': 'error',
    'no-unreachable': 'error',
    'no-dupe-keys': 'error'
  }
};
