// The invoice of an order: a file that only its buyer may load, so it comes by fetch, not by an address.

import { request } from './api.js';
import { authToken } from './auth.js';
import { h, notice, show } from './dom.js';
import { getInvoicePdf } from './operations.js';
import { explain } from './problems.js';

/** Makes a button that saves the invoice with its credit notes, or says why there is none yet. */
export function invoiceBox(order, signal) {
  if (!order.invoice) return null;
  const said = h('div', { role: 'status' });
  const button = h('button', {}, 'Invoice (PDF)');
  button.addEventListener('click', async () => {
    button.disabled = true;
    show(said);
    try {
      save(await load(order.order, signal), `invoice-${order.order}.pdf`, signal);
    } catch (error) {
      if (error.name !== 'AbortError') show(said, notice('warn', explain(error)));
    }
    button.disabled = false;
  });
  return h('div', { class: 'invoice' }, button, said);
}

async function load(order, signal) {
  const headers = { accept: 'application/pdf' };
  const { data } = await request(getInvoicePdf(order), { token: authToken(), retry: true, signal, headers });
  return data;
}

/** Saves a file that came by fetch. */
export function save(file, name, signal) {
  const href = URL.createObjectURL(file);
  signal.addEventListener('abort', () => URL.revokeObjectURL(href));
  const link = h('a', { href, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}
