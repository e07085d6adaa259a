import { limitKinds, type LimitKind } from './kinds.ts';

// The gain of a change, estimated from a run without it.

/** How long a crawl that fetches the same pages takes at least, whatever else is changed. */
export interface LeastTimes {
  /** The longest turns of any host, or of an address that hosts share; and the delays among them. */
  readonly hostUs: number;
  readonly hostDelayUs: number;
  /** All downloads of the busiest processor, divided among its robots. */
  readonly robotUs: number;
}

/** Share of a wait that a change saves: half if there is twice as much, nearly all if no limit is left. */
const savedShare: Readonly<Record<LimitKind, number>> = {
  politeness: 0.5, robots: 0.5, superstepLimit: 0.7, pendingJobs: 0.8, processorBandwidth: 0.5, hostBandwidth: 0.5,
  barriers: 0.5, frontier: 0.5, retries: 0.5,
};
/** A change is likely to be noticed that saves this share of the time. */
const leastGain = 0.09;
/** A second limit is named if its change brings this share of the first one's gain. */
const secondGain = 0.4;

/** The changes that are likely to bring most, as `--what-if` has them: none, one or two. */
export function bestChanges(
  shares: Readonly<Record<LimitKind, number>>, totalUs: number, least?: LeastTimes,
): readonly LimitKind[] {
  const gains = { ...shares };
  for (const kind of limitKinds) {
    const rest = 1 - savedShare[kind] * Math.min(1, shares[kind]);
    gains[kind] = 1 / Math.max(rest, leastShare(kind, totalUs, least)) - 1;
  }
  const [first, second] = [...limitKinds].sort((a, b) => gains[b] - gains[a]);
  if (gains[first] < leastGain) return [];
  return gains[second] >= secondGain * gains[first] ? [first, second] : [first];
}

/** The share of the time that a crawl with a change takes at least. */
function leastShare(kind: LimitKind, totalUs: number, least: LeastTimes | undefined): number {
  if (least === undefined || kind === 'processorBandwidth' || kind === 'hostBandwidth') return 0;
  const { hostUs, hostDelayUs, robotUs } = least;
  const ofHost = kind === 'politeness' ? hostUs - hostDelayUs / 2 : hostUs;
  const ofRobots = kind === 'robots' ? robotUs / 2 : robotUs;
  return Math.min(1, Math.max(ofHost, ofRobots) / totalUs);
}
