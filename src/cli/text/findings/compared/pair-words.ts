import type { Pair, WhyNoOrder, WhyNoProcessors } from '../../../../questions/compare/index.ts';

export function pairTitle({ isPrediction }: Pair): string {
  return isPrediction ? 'Prediction and fact' : 'The two runs compared';
}

/** @param missing why graphs are missing, by checksum, as the end of a sentence. */
export function whyNoOrder(reason: WhyNoOrder, missing: ReadonlyMap<string, string>): string {
  return reason.why === 'no URLs'
    ? 'neither graph has URLs, and pages of two graphs can only be matched by URL'
    : `${missing.get(reason.sha256) ?? 'a graph is not available'}, and without it no page has a URL (name it with --graph)`;
}

export function whyNoProcessors(reason: WhyNoProcessors): string {
  switch (reason.why) {
    case 'not recorded': return 'a record does not say how many processors there were';
    case 'one processor': return 'they had one processor';
    case 'no graph': return 'the graph is not available';
    case 'other numbers': return `they had ${reason.counts.join(' and ')} processors`;
    case 'other partition': return `the partition of ${reason.of} does not say which processor had which pages`;
  }
}
