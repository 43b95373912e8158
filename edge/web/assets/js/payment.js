// The way to the payment page.

import { newKey } from './api.js';
import { links } from './links.js';
import { tab } from './store.js';
import { inTurn } from './turn.js';

/**
 * Orders the session's seats and leaves for the payment page. A session has one pending order, so
 * asking again leads to its page again. `wait` shows that the turn to pay comes later, and ends then.
 */
export async function pay(event, basket, buyer, wait) {
  const key = newKey(); // the same for each try, so that waiting writes nothing
  const checkout = await inTurn(
    () => basket.checkout(buyer, { key }),
    (error) => {
      basket.session.expires_at = error.fields.held_until;
      return wait(error);
    }
  );
  tab.set('email', buyer.email);
  tab.set(`order:${event}`, checkout.order.order);
  const target = new URL(checkout.pay_url, location.href);
  if (!/^https?:$/.test(target.protocol)) throw new Error('The payment page cannot be opened.');
  // Back from there leads to the order, not to a checkout that is done.
  location.replace(links.order(checkout.order.order));
  location.assign(target.href);
}
