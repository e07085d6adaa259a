import { useEffect, useReducer } from 'preact/hooks';
import { Live } from '../live/live.ts';

/** The tab's connection, opened when it is first asked for. */
let opened: Live | undefined;
export const live = (): Live => (opened ??= new Live());

/** Draws the component again whenever `follow` says so. */
export function useChanges(follow: (changed: () => void) => () => void, inputs: readonly unknown[]): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => follow(() => again(undefined)), inputs);
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Orbweaver' : `${title} · Orbweaver`;
  }, [title]);
}

/** Calls `heard` when the list of runs has changed, and when the server answers again. */
export function useRunsChange(heard: () => void, inputs: readonly unknown[]): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const stop = live().listen((message) => {
      if (message.is !== 'runs' && !(message.is === 'connected' && message.yes)) return;
      // Several changes at once are one.
      clearTimeout(waiting);
      waiting = setTimeout(heard, 150);
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, inputs);
}
