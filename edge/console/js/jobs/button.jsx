// A long act by one button.

import { actNamed } from '../acts.js';
import { useAct } from '../act-form.jsx';
import { Button, Refusal } from '../kit.jsx';
import { JobView, useJob } from './job.jsx';
import { isGoing } from './jobs.js';

/** A button that begins a long act with arguments that are known, and below it the last job of this act. */
export function JobButton({ act, event, args, wanted, quiet, onDone, children, ...rest }) {
  const { run, busy, problem, dialog } = useAct(act);
  const job = useJob(act, event, wanted);
  if (!actNamed(act)) return null;
  const click = async () => {
    const done = await run(args);
    if (done) onDone?.(done);
  };
  return (
    <>
      <div class="row buttons">
        <Button busy={busy || (job && isGoing(job))} onClick={click} {...rest}>
          {children}
        </Button>
      </div>
      <Refusal problem={problem?.job ? null : problem} />
      {dialog}
      <JobView job={job} quiet={quiet} />
    </>
  );
}
