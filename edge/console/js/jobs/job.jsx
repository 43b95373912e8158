// A long act on a screen: that it goes on, what it says at its end, and its files.

import { useEffect } from 'preact/hooks';
import { at, on } from '../format.js';
import { Badge, Refusal, Said } from '../kit.jsx';
import { isGoing, jobs, readJobs, readWhole } from './jobs.js';
import { lasted, newest, sizeOf, stateOf } from './words.js';

/** Returns the newest job of an act at an event, or at none, followed to its end; undefined where there is none. */
export function useJob(act, event, wanted) {
  useEffect(() => {
    if (act) readJobs();
  }, [act, event]);
  const found = newest(jobs.value.values(), act, (job) => (job.event ?? '') === event && (!wanted || wanted(job)));
  const whole = !found || isGoing(found) || found.said !== undefined;
  useEffect(() => {
    if (!whole) readWhole(found.id).catch(() => {}); // its state is known, and shown
  }, [found?.id, whole]);
  return found;
}

/** What is known of a job. `quiet`: without what it said, where the screen shows that in its own way. */
export function JobView({ job, quiet }) {
  if (!job) return null;
  const [tone, words] = stateOf(job);
  const goes = isGoing(job);
  const time = lasted(job);
  return (
    <div class="job">
      <div class="row">
        <Badge tone={tone}>{words}</Badge>
        {goes && job.step && <span>{job.step}</span>}
        <span class="dim">
          {goes && (time ? `for ${time}` : `asked for at ${at(job.asked_at)}`)}
          {!goes && job.ended_at && `${on(job.ended_at)}${time ? `, in ${time}` : ''}`}
          {job.asked_by && `, asked for by ${job.asked_by}`}
        </span>
      </div>
      {goes && <p class="dim">You may leave this screen: it goes on.</p>}
      {job.state === 'failed' && <Refusal problem={problemOf(job)} />}
      {job.state === 'done' && !quiet && job.said?.length > 0 && <Said lines={job.said} />}
      <Files job={job} />
    </div>
  );
}

const problemOf = ({ problem }) => ({
  message: problem?.detail ?? 'It failed. Try again; if it fails again, ask your engineer.',
  fields: problem ?? {}
});

const ADDRESS_KEPT_MS = 240_000; // an address is signed for five minutes

/** Files that a job made, to be saved. */
function Files({ job }) {
  const files = job.files ?? [];
  if (files.length === 0) return null;
  const open = async (event, name) => {
    if (Date.now() - job.readAt < ADDRESS_KEPT_MS) return;
    event.preventDefault();
    const { files: now } = await readWhole(job.id);
    location.assign(now.find((one) => one.name === name).url);
  };
  return (
    <ul class="made" aria-label="Files">
      {files.map(({ name, bytes, url }) => (
        <li key={name}>
          {url ? (
            <a class="hit" href={url} download={name} onClick={(event) => open(event, name)}>
              {name}
            </a>
          ) : (
            <span>{name}</span>
          )}{' '}
          <small>{url ? sizeOf(bytes) : 'names buyers: not for your role'}</small>
        </li>
      ))}
    </ul>
  );
}
