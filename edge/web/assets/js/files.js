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

/**
 * Opens a tab of its own for an address that is still to come: a browser allows it only at the click itself. It
 * knows nothing of this page. Null where none is allowed.
 */
function newTab() {
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  return tab;
}

/** Shows another site's page in `tab`, or in place of this page. */
function visit(tab, url) {
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error(`No page of the web: ${url}`);
  if (tab) tab.location.replace(url);
  else location.assign(url);
}

function fileButton({ label, of, name, ask: [operation, options] }, said, signal) {
  const button = h('button', { 'aria-label': of && `${label}: ${of}` }, label);
  button.addEventListener('click', async () => {
    button.disabled = true;
    show(said);
    const tab = name ? null : newTab();
    try {
      const headers = { accept: name ? TYPES[name.split('.').pop()] : 'application/json' };
      const { data } = await request(operation, { ...options, retry: true, signal, headers });
      if (name) save(data, name);
      else visit(tab, data.url);
    } catch (error) {
      tab?.close();
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
 * [operation, options] of `request`. Without a name, the answer's `url` is opened in a tab of its own instead. What is
 * not a file stands among the buttons as it is. `later`: a promise of more files.
 */
export function fileButtons(files, signal, later) {
  const said = h('div', { role: 'status' });
  const button = (file) => (file?.ask ? fileButton(file, said, signal) : file);
  const buttons = h('div', { class: 'buttons' }, files.map(button));
  later?.then((more) => buttons.append(...more.map(button)));
  return h('div', { class: 'files' }, buttons, said);
}
