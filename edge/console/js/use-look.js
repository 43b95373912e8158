// Reading what a screen shows: at once, and again when asked or every some seconds.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/**
 * Returns {data, problem, again}: what `read` returned last, why it failed last, and a function that reads anew.
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
      if (mine === turn.current) setState({ data, problem: null });
    } catch (problem) {
      if (mine === turn.current) setState((before) => ({ ...before, problem }));
    }
  }, []);
  useEffect(() => {
    let timer = 0;
    let over = false;
    setState({ data: null, problem: null });
    const next = async () => {
      if (document.visibilityState === 'visible' || turn.current === 0) await again();
      if (!over && everyMs) timer = setTimeout(next, everyMs);
    };
    next();
    return () => {
      over = true;
      turn.current += 1; // an answer on its way belongs to the screen before
      clearTimeout(timer);
    };
  }, needs);
  return { ...state, again };
}
