import { runtimeConfig } from './edge/gate/runtime-rules.mjs';

/** Globals that may be read, from their names between blanks. */
const readonly = (names) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, 'readonly'])
  );

const careful = {
  'no-undef': 'error',
  'no-unused-vars': ['error', { caughtErrors: 'none' }],
  'no-unreachable': 'error',
  'no-dupe-keys': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  eqeqeq: 'error'
};

export default [
  { ignores: ['build/', 'node_modules/', 'cdk.out/', '.venv*/', '.run/'] },
  // Biome has the same length and leaves comments and texts alone. A pattern cannot be split (docs/adr/0016).
  { rules: { 'max-len': ['error', { code: 120, ignorePattern: '^\\s*/\\^.*\\$/;$' }] } },
  // The gate: exactly what the edge runtime takes.
  // It declares with `var`, which costs that runtime less, but as if each block had its own.
  {
    ...runtimeConfig,
    files: ['edge/gate/src/*.js'],
    rules: { ...careful, ...runtimeConfig.rules, 'no-var': 'off', 'block-scoped-var': 'error', 'no-redeclare': 'error' }
  },
  // The screen, likewise.
  { ...runtimeConfig, files: ['edge/screen/*.js'], rules: { ...careful, ...runtimeConfig.rules } },
  // Tools that run in Node.
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: readonly(`
        process console Buffer URL URLSearchParams setTimeout clearTimeout fetch AbortController
        performance TextEncoder TextDecoder Headers
      `)
    },
    rules: careful
  },
  // What nginx adds around the gate.
  {
    files: ['edge/local/*.js'],
    languageOptions: {
      globals: readonly(`
        process handler Object Error JSON Buffer globalThis encodeURIComponent decodeURIComponent
      `)
    },
    rules: { ...runtimeConfig.rules, ...careful, 'no-unused-vars': 'off' }
  },
  // What benchmarks join with the gate in njs.
  {
    files: ['edge/local/bench/*.js'],
    languageOptions: {
      globals: readonly(`
        process handler fs cf crypto native njs sample steps atob btoa recorded VALUE Object Error JSON
        Promise RegExp String Buffer console
      `)
    },
    rules: { ...runtimeConfig.rules, ...careful, 'no-unused-vars': 'off' }
  },
  // The pages.
  {
    files: ['edge/web/**/*.js'],
    languageOptions: {
      globals: readonly(`
        window document navigator location history localStorage sessionStorage fetch URL
        URLSearchParams AbortController AbortSignal DOMException crypto Worker self setTimeout
        clearTimeout setInterval clearInterval requestAnimationFrame cancelAnimationFrame
        ResizeObserver IntersectionObserver EventSource CustomEvent Event EventTarget Intl
        TextEncoder TextDecoder performance console matchMedia atob btoa devicePixelRatio
        structuredClone queueMicrotask HTMLElement Node Path2D createImageBitmap addEventListener removeEventListener
        dispatchEvent innerWidth innerHeight scrollTo getComputedStyle CSS Blob FormData Headers
        postMessage onmessage customElements OffscreenCanvas Image SVGElement DOMParser alert
        confirm BroadcastChannel AudioContext globalThis
      `)
    },
    rules: {
      ...careful,
      'no-unused-vars': ['error', { args: 'none', caughtErrors: 'none' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }]
    }
  },
  // The console.
  {
    files: ['edge/console/**/*.js', 'edge/console/**/*.jsx'],
    languageOptions: {
      parserOptions: { ecmaFeatures: { jsx: true } },
      globals: readonly(`
        document location history localStorage sessionStorage indexedDB fetch Response CompressionStream URL
        AbortSignal crypto setTimeout clearTimeout Intl matchMedia getComputedStyle ResizeObserver addEventListener
        scrollTo FileReader Blob navigator
      `)
    },
    rules: { ...careful, eqeqeq: ['error', 'always', { null: 'ignore' }] }
  },
  // main.js loads each page when it is shown.
  {
    files: ['edge/web/assets/js/view-*.js'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['./view-*.js'] }] }
  }
];
