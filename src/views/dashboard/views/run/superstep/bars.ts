import type { OpenedDownload, OpenedSuperstep } from '../../../../service/dashboard/timeline/api.ts';

/** Bars drawn at once: a browser draws more, but slowly. */
export const MAX_BARS = 2000;
/** Heights, in pixels. */
export const LANE = 10;
export const HEAD = 16;
const GAP = 8;

/** The part of a superstep that is shown, in microseconds since the run began. */
export interface Span {
  readonly fromUs: number;
  readonly toUs: number;
}

/** A processor's place in the picture. */
export interface ProcessorRow {
  readonly name: string;
  readonly top: number;
  readonly lanes: number;
  readonly arrivedUs: number | null;
}

export interface Bar {
  readonly download: OpenedDownload;
  readonly processor: string;
  readonly top: number;
}

export interface Layout {
  readonly rows: readonly ProcessorRow[];
  /** Sorted by processor, then by start. */
  readonly bars: readonly Bar[];
  readonly height: number;
}

/** Places of processors and downloads, one below the other. */
export function layoutOf({ processors }: OpenedSuperstep): Layout {
  const rows: ProcessorRow[] = [];
  const bars: Bar[] = [];
  let top = 0;
  for (const { processor, lanes, arrivedUs, downloads } of processors) {
    const name = processor === null ? 'All processors' : `Processor ${processor}`;
    rows.push({ name, top: top + HEAD, lanes: Math.max(1, lanes), arrivedUs });
    for (const download of downloads)
      bars.push({ download, processor: name, top: top + HEAD + download.lane * LANE });
    top += HEAD + Math.max(1, lanes) * LANE + GAP;
  }
  return { rows, bars, height: top };
}

/** The bars within a span, the first 2,000 of them, and how many there are. */
export function barsWithin(
  { bars }: Layout, { fromUs, toUs }: Span,
): { readonly shown: Bar[]; readonly count: number } {
  const within = bars.filter(({ download: { startedUs, finishedUs } }) => finishedUs >= fromUs && startedUs <= toUs);
  return { shown: within.slice(0, MAX_BARS), count: within.length };
}

/**
 * A span with `share` of the length of another, which leaves the moment at `at` (0 to 1 of the width) where it is;
 * never beyond `whole`, and never shorter than a microsecond.
 */
export function zoomed({ fromUs, toUs }: Span, whole: Span, share: number, at = 0.5): Span {
  const length = Math.min(whole.toUs - whole.fromUs, Math.max(1, (toUs - fromUs) * share));
  const from = fromUs + at * (toUs - fromUs) - at * length;
  return within(from, length, whole);
}

/** A span moved by a share of its length. */
export function moved({ fromUs, toUs }: Span, whole: Span, share: number): Span {
  return within(fromUs + share * (toUs - fromUs), toUs - fromUs, whole);
}

function within(from: number, length: number, whole: Span): Span {
  const fromUs = Math.min(Math.max(from, whole.fromUs), Math.max(whole.fromUs, whole.toUs - length));
  return { fromUs, toUs: fromUs + length };
}

/** The colour of an outcome: the name of a class. Grey tones mean that there is no download. */
export function moodOfOutcome(kind: string): 'got' | 'late' | 'none' | 'robots' | 'failed' {
  switch (kind) {
    case 'fetched': return 'got';
    case 'timeout': return 'late';
    case 'notFound': return 'none';
    case 'robotsFetched': case 'robotsDenied': case 'busy': return 'robots';
    default: return 'failed';
  }
}

const units = [['s', 1e6], ['ms', 1e3]] as const;

/** A length of time: 1.25 s, 3.10 ms, 12 µs. */
export function lengthText(us: number): string {
  const [unit, size] = units.find(([, usOf]) => us >= usOf) ?? ['µs', 1];
  return `${(us / size).toFixed(size === 1 ? 0 : 2)}\u202f${unit}`;
}
