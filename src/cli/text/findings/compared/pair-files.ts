import {
  placesInBoth, secondsToPages, type Judged, type Pair, type PairOrder, type WhyNoOrder, type WhyNoProcessors,
} from '../../../../questions/compare/index.ts';
import type { OrderAgreement } from '../../../../core/measure/index.ts';

export function pairDocument(
  pair: Pair, judged: Judged | undefined, missing: ReadonlyMap<string, string>,
): object {
  const { isByUrl, sides, order } = pair;
  const seconds = secondsToPages(sides);
  return {
    title: pairTitle(pair),
    pagesMatchedBy: isByUrl ? 'URL' : 'number',
    sides: sides.map(({ name, label, run: { summary } }, i) => ({
      name, label, pagesFetched: summary.pagesFetched, virtualSeconds: summary.virtualSeconds,
      secondsToPages: seconds[i], quality: judged?.[i].quality ?? summary.quality, balance: summary.balance,
      robots: summary.robots, failuresByKind: summary.failuresByKind,
    })),
    ...('why' in order
      ? { orderUnknown: whyNoOrder(order, missing) }
      : {
          order: agreementDocument(order.agreement, order.nameOf),
          ...('why' in order.processors
            ? { processorsUnknown: whyNoProcessors(order.processors) }
            : { processors: order.processors.map((agreement) => agreementDocument(agreement, order.nameOf)) }),
        }),
  };
}

function agreementDocument(agreement: OrderAgreement, nameOf: (page: number) => string): object {
  const { divergence } = agreement;
  const name = (page: number | null): string | null => (page === null ? null : nameOf(page));
  return {
    ...agreement,
    divergence: divergence && {
      place: divergence.place, first: name(divergence.first), second: name(divergence.second),
    },
  };
}

/** `pages.csv`, in pieces: each page that either run fetched, its place in both orders, from 1, and when it arrived. */
export function* pageRows(pair: Pair, order: PairOrder): Generator<string> {
  yield 'page,firstPlace,secondPlace,firstSeconds,secondSeconds\n';
  for (const { page, places, seconds } of placesInBoth(pair, order)) {
    const at = places.map((place) => (place === null ? '' : String(place + 1)));
    yield `${quoted(order.nameOf(page))},${at.join()},${seconds.map((second) => second ?? '').join()}\n`;
  }
}

/**
 * A field of a CSV file (RFC 4180). URLs start with their host, so no spreadsheet takes them for
 * formulas.
 */
function quoted(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

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
