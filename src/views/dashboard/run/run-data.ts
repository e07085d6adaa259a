import type { RunView } from '../../service/dashboard/api.ts';
import {
  maxFeedLines, type CurveColumns, type FeedLine, type JobState, type RunCard, type RunMessage, type RunState,
  type StartedRun,
} from '../../watch/contract.ts';
import { joined, noCurves } from './curves.ts';

/** What is known of a run. */
export interface RunData {
  readonly card: RunCard | StartedRun | null;
  readonly state: RunState | null;
  /** The state of a plan, a tune or a study. */
  readonly job: JobState | null;
  readonly curves: CurveColumns;
  /** Lines with rising numbers. */
  readonly feed: readonly FeedLine[];
}

export const noRun: RunData = { card: null, state: null, job: null, curves: noCurves, feed: [] };

/** The same run after one more message. Parts that the message does not concern stay the same objects. */
export function afterMessage(data: RunData, message: RunMessage): RunData {
  switch (message.is) {
    case 'card':
      // After a new connection the card comes again; facts of the start stay.
      return data.card?.id === message.card.id ? data : { ...data, card: message.card };
    case 'started': return { ...data, card: message.run };
    case 'state': return { ...data, state: message.state };
    case 'job': return { ...data, job: message.job };
    case 'curves': return { ...data, curves: message.curves };
    case 'points': return { ...data, curves: joined(data.curves, message.curves) };
    case 'feed': return { ...data, feed: withLines(data.feed, message.lines) };
    case 'answer': return data;
  }
}

/** What the server answered about the run, unless its events have already said more. */
export function withView(data: RunData, { run, state, job, curves, feed }: RunView): RunData {
  const isMore = curves.superstep.length > 0 && data.curves.superstep.length === 0;
  return {
    card: data.card !== null && isStarted(data.card) ? data.card : run ?? data.card,
    state: data.state ?? state,
    job: data.job ?? job,
    curves: isMore ? curves : data.curves,
    feed: withLines(feed, data.feed),
  };
}

function withLines(feed: readonly FeedLine[], lines: readonly FeedLine[]): readonly FeedLine[] {
  const last = feed.at(-1)?.number ?? -1;
  const added = lines.filter(({ number }) => number > last);
  return added.length === 0 ? feed : [...feed, ...added].slice(-maxFeedLines);
}

export function isStarted(card: RunCard | StartedRun): card is StartedRun {
  return 'processors' in card;
}

export function hasEnded(state: Pick<RunState, 'phase'> | JobState | null): boolean {
  return state?.phase === 'finished' || state?.phase === 'failed';
}
