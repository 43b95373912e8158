// The way to the payment page.

import { links } from './links.js';
import { tab } from './store.js';

/**
 * Orders the session's seats and leaves for the payment page. A session has one pending order, so
 * asking again leads to its page again.
 */
export async function pay(event, basket, buyer) {
  const checkout = await basket.checkout(buyer);
  tab.set('email', buyer.email);
  tab.set(`order:${event}`, checkout.order.order);
  const target = new URL(checkout.pay_url, location.href);
  if (!/^https?:$/.test(target.protocol)) throw new Error('The payment page cannot be opened.');
  // Back from there leads to the order, not to a checkout that is done.
  location.replace(links.order(checkout.order.order));
  location.assign(target.href);
}
