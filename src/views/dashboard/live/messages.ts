import type { RunEvent } from '../../service/dashboard/api.ts';

/** What a tab says to the worker. A `watch` with the same runs as before costs nothing. */
export type FromTab =
  | { readonly is: 'watch'; readonly runs: readonly string[] }
  | { readonly is: 'pong' }
  | { readonly is: 'bye' };

/** What the worker says to a tab. */
export type ToTab =
  | { readonly is: 'event'; readonly event: RunEvent }
  /** The list of runs has changed. */
  | { readonly is: 'runs' | 'ping' }
  | { readonly is: 'connected'; readonly yes: boolean };
