// Files that a buyer saves: only their owner may load them, so they come by fetch, not by an address.

import { request } from './api.js';
import { h, notice, show } from './dom.js';
import { explain } from './problems.js';

const TYPES = {
  ics: 'text/calendar',
  pdf: 'application/pdf',
  pkpass: 'application/vnd.apple.pkpass',
  png: 'image/png'
};
const KEPT_MS = 60000; // a phone asks its owner first

/** Hands a file to the browser, as a click on a link to it would. */
function save(file, name) {
  const link = h('a', { href: URL.createObjectURL(file), download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

function fileButton({ label, of, name, ask: [operation, options] }, said, signal) {
  const button = h('button', { 'aria-label': of && `${label}: ${of}` }, label);
  button.addEventListener('click', async () => {
    button.disabled = true;
    show(said);
    try {
      const headers = { accept: name ? TYPES[name.split('.').pop()] : 'application/json' };
      const { data } = await request(operation, { ...options, retry: true, signal, headers });
      if (name) save(data, name);
      else location.assign(data.url);
    } catch (error) {
      if (error.name !== 'AbortError') show(said, notice('warn', explain(error)));
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

/**
 * Buttons that save files, and below them why one could not be loaded.
 * Each file: {label, of, name, ask}; `of`: what it is a file of, where several buttons have one label; `ask`:
 * [operation, options] of `request`. Without a name, the answer's `url` is opened instead. What is not a file stands
 * among the buttons as it is.
 */
export function fileButtons(files, signal) {
  const said = h('div', { role: 'status' });
  const buttons = files.map((file) => (file?.ask ? fileButton(file, said, signal) : file));
  return h('div', { class: 'files' }, h('div', { class: 'buttons' }, buttons), said);
}
