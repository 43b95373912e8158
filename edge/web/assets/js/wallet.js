// Passes of tickets for the wallet of a phone, where config.json names any.

import { files, get } from './api.js';
import { authToken } from './auth.js';
import { getApplePass, getGooglePass } from './operations.js';
import { say } from './words.js';

let offered = null; // promise of the wallets' names

/** Returns the wallets that the stage offers; none where that cannot be read. */
function wallets() {
  offered ??= get(files.config, { retry: true }).then(
    ({ passes }) => passes ?? [],
    () => []
  );
  return offered;
}

/** Returns the passes of one ticket as `fileButtons` takes them; `of` names the ticket. */
export async function passFiles(order, unit, of) {
  const names = await wallets();
  const ask = (operation) => [operation(order, { unit }), { token: authToken() }];
  return [
    names.includes('apple') && {
      label: say('ticket-apple'),
      of,
      name: `ticket-${unit + 1}.pkpass`,
      ask: ask(getApplePass)
    },
    names.includes('google') && { label: say('ticket-google'), of, ask: ask(getGooglePass) }
  ].filter(Boolean);
}
