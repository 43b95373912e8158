// Building and replacing parts of the page, without HTML strings.

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'checked' || name === 'disabled' || name === 'value') element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes an HTML element; `on…` props are listeners, and empty children are left out. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Replaces what an element contains. */
export function show(element, ...children) {
  element.replaceChildren(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false)
  );
}

const keptChildren = new WeakMap(); // element → its children by key

/**
 * Brings an element's children up to date without touching those that stay: `parts` are [key, make] in order.
 * What is pressed or focused while others buy is still there when the finger is lifted.
 */
export function showKept(element, parts) {
  const before = keptChildren.get(element) || new Map();
  const after = new Map(parts.map(([key, make]) => [key, before.get(key) || make()]));
  keptChildren.set(element, after);
  for (const [key, child] of before) if (!after.has(key)) child.remove();
  let next = element.firstChild;
  for (const child of after.values()) {
    if (child === next) next = child.nextSibling;
    else element.insertBefore(child, next);
  }
}

/** Has screen readers speak a sentence; the same sentence twice is spoken twice. */
export function announce(text) {
  const live = document.getElementById('live');
  live.textContent = live.textContent === text ? text + '\u00a0' : text;
}

/** Puts a control's label beside it, so that its name is the label alone. */
export function field(text, control) {
  return h('div', { class: 'field' }, h('label', { for: control.id }, text), control);
}

/** Makes the control for a mail address. */
export function emailInput(value = '') {
  return h('input', {
    id: 'email',
    type: 'email',
    required: true,
    autocomplete: 'email',
    inputmode: 'email',
    maxlength: 254,
    value
  });
}

/** Says below a control what is wrong with what was typed, and goes there; without a text, nothing is. */
export function explainAt(control, text) {
  const id = `${control.id}-problem`;
  document.getElementById(id)?.remove();
  control.removeAttribute('aria-invalid');
  control.removeAttribute('aria-describedby');
  if (!text) return;
  control.setAttribute('aria-invalid', 'true');
  control.setAttribute('aria-describedby', id);
  control.after(h('p', { id, class: 'field-problem', role: 'alert' }, text));
  control.focus();
}

/** Puts a sentence in a coloured box. Kinds: info, good, warn, bad. */
export function notice(kind, ...content) {
  return h('div', { class: `notice notice-${kind}` }, ...content);
}

/** Runs `task` now and again `ms` after each end, until the signal; hidden pages rest. */
export function every(ms, signal, task) {
  let timer = 0;
  const run = async () => {
    if (signal.aborted) return;
    if (document.visibilityState === 'visible') await task();
    if (!signal.aborted) timer = setTimeout(run, ms);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  return run();
}

const PACE_CHANGED = 'fairgate:pace-changed';

/** Ends each `nap`, for who has just done something after which its pause is too long. */
export const wakeAll = () => dispatchEvent(new Event(PACE_CHANGED));

/** Waits; wakes early when the signal ends, when the page is shown again or comes online. */
export function nap(ms, signal) {
  return new Promise((resolve) => {
    const ends = new AbortController();
    const wake = () => {
      clearTimeout(timer);
      ends.abort();
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const options = { signal: ends.signal };
    if (signal.aborted) return wake();
    signal.addEventListener('abort', wake, options);
    addEventListener('online', wake, options);
    addEventListener(PACE_CHANGED, wake, options);
    document.addEventListener('visibilitychange', wake, options);
    addEventListener('pageshow', ({ persisted }) => persisted && wake(), options); // by the browser's "back"
  });
}
