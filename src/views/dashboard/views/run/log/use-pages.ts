import { useEffect, useState } from 'preact/hooks';
import type { Refused } from '../../../client.ts';

/** A page of something that is read from its end back. */
interface Page {
  /** The place where older ones are; null: there are none. */
  readonly older: string | null;
}

export type Ask<P extends Page> = (place: string | undefined, signal: AbortSignal) => Promise<P>;

export interface Pages<P extends Page> {
  /** The last answer; null before the first. */
  readonly page: P | null;
  readonly problem: string;
  readonly isAsking: boolean;
  readonly goOlder: (() => void) | null;
  readonly goNewer: (() => void) | null;
}

/**
 * Pages of a log. It begins with the newest whenever `ask` is another function, which a change of the search makes.
 *
 * @param again - the newest page is asked for again when this changes. @param refreshMs - and so often; null: never.
 */
export function usePages<P extends Page>(ask: Ask<P>, again: unknown, refreshMs: number | null): Pages<P> {
  const [at, setAt] = useState<{ readonly ask: Ask<P>; readonly places: readonly string[] }>({ ask, places: [] });
  const [answer, setAnswer] = useState<{ readonly page: P | null; readonly problem: string }>(none);
  const [isAsking, setAsking] = useState(true);
  const places = at.ask === ask ? at.places : [];
  const place = places.at(-1);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const once = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          const page = await ask(place, signal);
          if (!signal.aborted) setAnswer({ page, problem: '' });
        } catch (error) {
          if (signal.aborted) return;
          // That the server does not answer is said above everything.
          const { status, message } = error as Refused;
          setAnswer(({ page }) => ({ page, problem: status === 0 ? '' : message }));
        }
      }
      if (signal.aborted) return;
      setAsking(false);
      if (refreshMs !== null && place === undefined) waiting = setTimeout(() => void once(), refreshMs);
    };
    setAsking(true);
    void once();
    return () => {
      clearTimeout(waiting);
      stop.abort();
    };
  }, [ask, place, place === undefined ? again : null, refreshMs]);
  const older = answer.page?.older ?? null;
  return {
    ...answer, isAsking,
    goOlder: older === null ? null : () => setAt({ ask, places: [...places, older] }),
    goNewer: places.length === 0 ? null : () => setAt({ ask, places: places.slice(0, -1) }),
  };
}

const none = { page: null, problem: '' };

/** A text once it has not changed for a moment: no request for each letter. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(waiting);
  }, [text]);
  return settled;
}
