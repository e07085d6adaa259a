import { useEffect, useReducer, useState } from 'preact/hooks';
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

/** The width of an element in whole pixels, at least `least`; `first` until it is drawn. */
export function useWidth(within: { readonly current: HTMLElement | null }, first: number, least: number): number {
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const watch = new ResizeObserver(([{ contentRect }]) => setWidth(Math.max(least, Math.floor(contentRect.width))));
    watch.observe(within.current!);
    return () => watch.disconnect();
  }, []);
  return width;
}

/**
 * The answer of the server, asked for again when `key` changes, and not for null. Until the next answer the last one
 * stays; after an error only if `keeps`.
 */
export function useAnswer<T>(
  key: string | number | null, ask: () => Promise<T>, keeps = false,
): { readonly answer: T | null; readonly problem: string } {
  const [state, setState] = useState<{ readonly answer: T | null; readonly problem: string }>({
    answer: null, problem: '',
  });
  useEffect(() => {
    if (key === null) return;
    let isGone = false;
    ask().then(
      (answer) => { if (!isGone) setState({ answer, problem: '' }); },
      (error: unknown) => {
        if (!isGone) setState(({ answer }) => ({ answer: keeps ? answer : null, problem: (error as Error).message }));
      },
    );
    return () => { isGone = true; };
  }, [key]);
  return state;
}
