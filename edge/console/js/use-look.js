// Reading what a screen shows: at once, and again when asked or every some seconds.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { every } from './every.js';

/**
 * Returns {data, readAt, problem, again}: what `read` returned last and when, why it failed last, and a function that
 * reads anew.
 * What was read stays while the next reading fails. `everyMs`: read again so long after each answer, while the page
 * is seen.
 */
export function useLook(read, needs, everyMs = 0) {
  const [state, setState] = useState({ data: null, problem: null });
  const latest = useRef(read);
  latest.current = read;
  const turn = useRef(0);
  const again = useCallback(async () => {
    const mine = ++turn.current;
    try {
      const data = await latest.current();
      if (mine === turn.current) setState({ data, readAt: Date.now(), problem: null });
      return true;
    } catch (problem) {
      if (mine === turn.current) setState((before) => ({ ...before, problem }));
      return false;
    }
  }, []);
  useEffect(() => {
    setState({ data: null, problem: null });
    const stop = every(everyMs, again);
    return () => {
      turn.current += 1; // an answer on its way belongs to the screen before
      stop();
    };
  }, needs);
  return { ...state, again };
}
