// Waiting for a job: an act that the service does beside the request.

import { look } from './acts.js';
import { Problem } from './send.js';

const EVERY_MS = 2000;
const WAITED_MS = 600000; // then it is looked for among the jobs

/**
 * Resolves to a job that was asked for ({id}) when it is done; `tell` hears what it does meanwhile. Throws the problem
 * of one that failed.
 */
export async function ended({ id }, tell) {
  const until = Date.now() + WAITED_MS;
  let step = 'It is in line.';
  for (;;) {
    tell(step);
    await new Promise((go) => setTimeout(go, EVERY_MS));
    const { job } = await look('job show', { job: id });
    if (job.state === 'done') return job;
    if (job.state === 'failed') throw new Problem(0, job.problem ?? { detail: 'It failed without a reason.' });
    if (Date.now() > until) throw new Problem(0, { detail: `It takes long. The job ${id} goes on.` });
    step = job.step || (job.started_at ? 'It is being calculated.' : 'It is in line.');
  }
}
