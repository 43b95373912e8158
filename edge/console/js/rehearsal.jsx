// A rehearsal on the live screen: how far its crowd is, and its end.

import { look } from './acts.js';
import { ActButton } from './act-form.jsx';
import { crowdOf } from './crowd.js';
import { Card, Refusal } from './kit.jsx';
import { useLook } from './use-look.js';

const LOOK_MS = 5000;

export function Rehearsal({ event, rehearsal, closed, onDone }) {
  const { data, problem, again } = useLook(() => look('event show', { event }), [event], LOOK_MS);
  const now = data?.rehearsal ?? rehearsal;
  const over = (data?.phase ?? (closed && 'closed')) === 'closed';
  return (
    <Card title="Rehearsal" aside={`of ${now.of}, script “${now.script}”`}>
      <Refusal problem={problem} />
      <p role="status">{crowdOf(now)}</p>
      {!over && (
        <ActButton
          act="event close"
          args={{ event }}
          onDone={() => {
            again();
            onDone();
          }}
        >
          End the rehearsal
        </ActButton>
      )}
    </Card>
  );
}
