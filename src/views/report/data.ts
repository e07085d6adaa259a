import type { ShownPart } from './shown.ts';

/**
 * The content of a report about its runs: the figures of `run.json` that are shown, and curves thinned for one small
 * file.
 *
 * Plain JSON, columnar. This file imports only its neighbour's types, so that the page (which has a DOM and no Node)
 * can share it. Times are virtual seconds, shares are in 0..1, ranks are shares of the PageRank within reach.
 */
export interface ReportData {
  readonly title: string;
  /** The command that reproduces the report, as one would type it; null if unknown. */
  readonly command: string | null;
  readonly version: string;
  /** Further findings about the runs, such as their agreement; shown before their figures. */
  readonly parts: readonly ShownPart[];
  readonly runs: readonly ReportRun[];
  /** Curves of the sorted order. Runs of one graph and one page limit share theirs. */
  readonly bounds: readonly Curve[];
}

/** The only run of a report; undefined if there are several. */
export function onlyRun({ runs }: ReportData): ReportRun | undefined {
  return runs.length === 1 ? runs[0] : undefined;
}

/** Points of a curve, x never falling. */
export interface Curve {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface ReportRun {
  readonly label: string;
  readonly dataset: ReportDataset;
  /** Settings of the experiment, nested names joined by dots. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Names of the settings that have their default value. */
  readonly defaults: readonly string[];
  /** Policies that know, or may know, what a crawler cannot, and where that comes from. */
  readonly oracles: readonly { readonly policy: string; readonly given: 'ranks' | 'scores' | 'itself' }[];
  readonly replayHash: string;
  readonly summary: ReportSummary;
  /** What the run took of the machine, as in `run.json`; null if it is not recorded. */
  readonly memory: {
    readonly graphBytesPerArc: number;
    readonly pagesKnown: number;
    readonly stateBytesPerPage: number;
    readonly peakResidentBytes: number;
  } | null;
  /** cum(k) against pages fetched, and against virtual seconds. */
  readonly rankByPages: Curve;
  readonly rankBySeconds: Curve;
  /** Index in `bounds`. */
  readonly bound: number;
  /** Expected cum(k) of a uniform order is k times this. */
  readonly randomRankPerPage: number;
  /** After a tenth of the horizon; null if the run fetched less. */
  readonly afterTenth: { readonly pages: number; readonly rank: number; readonly bound: number } | null;
  /** When each share of the horizon's pages had been fetched, for the shares that were reached. */
  readonly milestones: readonly { readonly share: string; readonly seconds: number; readonly rank: number }[];
  readonly supersteps: SuperstepBins;
  /** Totals of each processor, over the whole run. */
  readonly processors: {
    readonly pages: readonly number[];
    readonly pairsSent: readonly number[];
    readonly pairsReceived: readonly number[];
  };
}

export interface ReportDataset {
  readonly name: string;
  readonly pages: number;
  readonly arcs: number;
  readonly hosts: number;
  readonly hostsAreSynthetic: boolean;
  readonly sha256: string;
  /** The graph of hosts: an edge if a page of one links to a page of the other; its weight is the number of links. */
  readonly hostGraph: {
    /** Linked pairs of different hosts over all such pairs. */
    readonly density: number;
    readonly linkedPairs: number;
    readonly links: number;
    readonly linksWithinHosts: number;
    readonly topOut: readonly HostLinks[];
    readonly topIn: readonly HostLinks[];
  };
}

export interface HostLinks {
  readonly name: string;
  /** Weighted degree. */
  readonly links: number;
}

/** The figures of `run.json` that the page shows. */
export interface ReportSummary {
  readonly ended: string;
  readonly pagesFetched: number;
  readonly rankGathered: { readonly ofReachable: number; readonly ofAll: number };
  readonly secondsToRank: Readonly<Record<'50' | '80' | '90', number | null>>;
  readonly hosts: { readonly fetched: number; readonly reachable: number };
  /** What limits the crawl, in one sentence. */
  readonly limits: string;
  readonly pagesFailed: number;
  readonly outcomesRetried: number;
  /** Requests without a page, by kind of failure, most frequent first. */
  readonly failures: readonly { readonly words: string; readonly count: number }[];
  readonly reachablePages: number;
  readonly supersteps: number;
  readonly virtualSeconds: number;
  readonly staleRatio: number | null;
  readonly queueIo: { readonly reads: number; readonly writes: number };
  readonly quality: {
    readonly pagerankArea: number;
    readonly bound: number;
    readonly random: number;
    readonly normalisedGain: number | null;
    readonly horizonPages: number;
  };
  readonly hotPages: Readonly<Record<'1%' | '10%', Readonly<Record<'10%' | '25%' | '50%', number | null>>>>;
  readonly parallel: { readonly overlap: number | null; readonly coverage: number; readonly quality: number | null };
  readonly harvest: { readonly reachableMean: number; readonly meanAfter: { readonly '10%': number | null } } | null;
  readonly subgraphTauB: number | null;
  readonly tail: {
    readonly startSeconds: number;
    readonly seconds: number;
    readonly downloads: number;
    readonly lowerBoundSeconds: number;
  } | null;
  readonly balance: { readonly pages: number | null; readonly pagesWholeRun: number | null };
  readonly communication: {
    readonly crossLinksPerPage: number | null;
    readonly pairsPerPage: number | null;
    readonly messages: number;
    readonly messagesPerPage: number | null;
    readonly bytesPerPage: number | null;
  };
  readonly robots: Readonly<Record<RobotState, number>>;
  readonly lowerBoundSeconds: number;
  readonly lowerBoundHost: string;
  readonly partition: {
    readonly modularity: number;
    readonly crossingLinks: number;
    readonly links: number;
    readonly largestHost: string;
    readonly largestHostShare: number;
    readonly efficiencyBound: number;
  };
}

export const robotStates = ['busy', 'stalled', 'noJob', 'barrier'] as const;
export type RobotState = (typeof robotStates)[number];

export const superstepColumns = [
  'firstSuperstep', 'lastSuperstep', 'startSeconds', 'endSeconds', 'pagesMin', 'pagesMean', 'pagesMax', 'busy',
  'stalled', 'noJob', 'barrier', 'crossLinks', 'pairsSent', 'extracted', 'stale', 'reinserted', 'queued', 'pending',
] as const;

/**
 * Supersteps, several per bin if there are many: an array per aspect, a value per bin. Times and numbers of supersteps
 * are the bin's first and last. Pages are per processor: of the least busy one, on average, of the busiest; these and
 * other counts are means per superstep. Robots are mean numbers; queued and pending pages are at the bin's end.
 */
export type SuperstepBins = Readonly<Record<(typeof superstepColumns)[number], readonly number[]>>;
