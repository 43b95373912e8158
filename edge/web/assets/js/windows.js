// One window of a browser asks for a person's place: a second one would be sent away as too early. The one that
// holds it says every few seconds that it is awake; a frozen one loses it to a window that somebody looks at.

const BEAT_MS = 5000;
const SILENT_BEATS = 18; // a hidden window's timers may be let run once a minute, no more
const HELD = Symbol('held by another window');

/** Returns a signal that ends with `signal`, or when the holder was silent while this window was looked at. */
function silence(channel, signal) {
  const ends = new AbortController();
  let missed = 0;
  channel.onmessage = () => {
    missed = 0;
  };
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible' && ++missed > SILENT_BEATS) ends.abort();
  }, BEAT_MS);
  signal.addEventListener('abort', () => ends.abort());
  ends.signal.addEventListener('abort', () => clearInterval(timer));
  return { signal: ends.signal, stop: () => clearInterval(timer) };
}

/**
 * Runs `task` with a signal, in one window for each `name`; `elsewhere` is told whenever another one has it, and
 * `task` begins anew when that one has gone. Returns what the task does; throws AbortError with the signal.
 */
export async function alone(name, { signal, elsewhere, task }) {
  if (!navigator.locks || !window.BroadcastChannel) return task(signal);
  const channel = new BroadcastChannel(name);
  let watch = null; // on the window that holds it
  let options = { ifAvailable: true };
  try {
    for (;;) {
      const mine = new AbortController();
      const leave = () => mine.abort();
      signal.addEventListener('abort', leave);
      const beat = () => channel.postMessage('');
      let beats = 0;
      const run = (lock) => {
        if (!lock) return HELD;
        watch?.stop();
        beat();
        beats = setInterval(beat, BEAT_MS);
        return task(mine.signal);
      };
      try {
        const outcome = await navigator.locks.request(name, options, run);
        if (outcome !== HELD) return outcome;
      } catch (error) {
        if (error.name !== 'AbortError' || signal.aborted) throw error;
        if (watch?.signal.aborted) {
          watch = null;
          options = { steal: true };
          continue;
        } // else another window took it while this one was frozen
      } finally {
        clearInterval(beats);
        leave();
        signal.removeEventListener('abort', leave);
      }
      elsewhere();
      watch = silence(channel, signal);
      options = { signal: watch.signal };
    }
  } finally {
    watch?.stop();
    channel.close();
  }
}
