import { useEffect, useState } from 'preact/hooks';
import type { CheckedRun, NewRun } from '../../service/dashboard/api.ts';
import * as client from '../client.ts';

const pauseMs = 300;

export interface Checked {
  /** The last that was right, so that the page does not jump while one types. */
  readonly run: CheckedRun | null;
  readonly error: string;
  /** The setting that the error is about. */
  readonly field: string | undefined;
}

const unchecked: Checked = { run: null, error: '', field: undefined };

/** What the server says of a run that is being made, once nothing was typed for a while. */
export function useCheck(run: NewRun | null): [Checked, (refused: client.Refused) => void] {
  const [checked, setChecked] = useState<Checked>(unchecked);
  const refuse = ({ message, field }: client.Refused): void =>
    setChecked(({ run }) => ({ run, error: message, field }));
  const text = JSON.stringify(run);
  useEffect(() => {
    if (run === null) {
      setChecked(unchecked);
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      client.check(run, stop.signal).then(
        (run) => setChecked({ run, error: '', field: undefined }),
        (error: unknown) => {
          if (!stop.signal.aborted) refuse(error as client.Refused);
        },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return [checked, refuse];
}
