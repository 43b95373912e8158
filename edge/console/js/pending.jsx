// What waits for a second person at an event, with a button for somebody else than the one who asked.

import { ActButton } from './act-form.jsx';
import { look, may } from './acts.js';
import { at, titled } from './format.js';
import { Notice } from './kit.jsx';
import { signedIn } from './session.js';
import { useLook } from './use-look.js';

const EVERY_MS = 15_000;

export function Pending({ event }) {
  const { data, again } = useLook(
    () => (may('act pending') ? look('act pending', { event }) : null),
    [event],
    EVERY_MS
  );
  return (data?.pending ?? []).map((one) => (
    <Notice key={one.request} tone="warn" title={`${titled(one.act)} waits for a second person`}>
      <p>
        {one.by} asked at {at(one.at)}: {words(one.arguments)}. It can be confirmed until {at(one.until)}.
      </p>
      {one.by === signedIn.value?.sub ? (
        <p>Somebody else with the role has to confirm it.</p>
      ) : (
        <ActButton act="act confirm" args={{ event, request: one.request }} onDone={again}>
          Confirm and do it
        </ActButton>
      )}
    </Notice>
  ));
}

const words = (given) =>
  Object.entries(given)
    .filter(([name]) => name !== 'event')
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ') || 'nothing more';
