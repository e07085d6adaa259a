import type { LimitKind } from './kinds.ts';
import type { Limits } from './limits.ts';

// Without imports of values, so that a page in a browser can use it.

const noun: Readonly<Record<LimitKind, string>> = {
  politeness: 'the politeness delays', robots: 'the number of robots', superstepLimit: 'the superstep limit R_x',
  pendingJobs: 'the number of pending jobs', processorBandwidth: 'the bandwidth of processors',
  hostBandwidth: 'the bandwidth of hosts', barriers: 'barriers', frontier: 'the frontier',
  retries: 'waits after failures',
};

const because: Readonly<Record<LimitKind, string>> = {
  politeness: 'robots wait until hosts may be asked again',
  robots: 'all robots are downloading',
  superstepLimit: 'processors reach it and wait for the others',
  pendingJobs: 'robots are idle while pages of other hosts are queued',
  processorBandwidth: 'their links are full',
  hostBandwidth: 'downloads wait for bytes',
  barriers: 'processors, and pages that were found, wait for them',
  frontier: 'no further page is known',
  retries: 'hosts back off after failures, or asked for a pause',
};

/** A limit, as sentences name it. */
export function limitNoun(kind: LimitKind): string {
  return noun[kind];
}

/** What limits a crawl, in one sentence. Host names are as the graph has them: whoever shows them makes them safe. */
export function limitsInWords({ named, shares, hosts }: Limits): string {
  if (named.length === 0) {
    return Object.values(shares).some((share) => share > 0)
      ? 'Nothing stands out that limits this crawl: twice as much of anything is likely to bring less than a tenth.'
      : 'What limits this crawl is not known: it fetched nothing, took no time, or waited for answers alone.';
  }
  const parts = named.map((kind) => {
    const of = kind === 'politeness' ? ` of ${hostsInWords(hosts)}` : '';
    return `${noun[kind]}${of} (${because[kind]}: ${(100 * shares[kind]).toFixed(0)} % of the time)`;
  });
  return `This crawl is limited by ${parts.join(' and ')}.`;
}

function hostsInWords({ count, names }: Limits['hosts']): string {
  if (count <= 1) return names[0] ?? 'its hosts';
  return count <= names.length ? names.join(', ') : `the ${count} busiest hosts`;
}

/** With this share of pending jobs among the pages that wait, the queue orders next to nothing. */
const nearlyAll = 0.8;

/** What limits a finished crawl, and whether its queue ordered little, in one sentence each. */
export function findingsInWords(
  { limits, pendingShare, ended }: {
    readonly limits: Limits; readonly pendingShare?: number | null | undefined; readonly ended?: string;
  },
  { pendingKeys }: { readonly pendingKeys?: 'follow' | 'frozen' | undefined },
): string {
  const ordersLittle = pendingKeys !== 'follow' && (pendingShare ?? 0) >= nearlyAll;
  const words = limits.named.length === 0 && ended === 'page limit'
    ? 'Its page limit (--max-pages) ended this crawl before anything else stood out that limits it.'
    : limitsInWords(limits);
  if (!ordersLittle) return words;
  return `${words} Its queue ordered little: ${(100 * pendingShare!).toFixed(0)} % of the pages that waited were ` +
    'pending jobs, which keep the keys with which they left it (--pending-keys frozen).';
}
