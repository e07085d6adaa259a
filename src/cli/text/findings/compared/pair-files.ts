import {
  placesInBoth, secondsToPages, type Judged, type Pair, type PairOrder,
} from '../../../../questions/compare/index.ts';
import type { OrderAgreement } from '../../../../core/measure/index.ts';
import { pairTitle, whyNoOrder, whyNoProcessors } from './pair-words.ts';

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
  const named = (page: number | null): string | null => (page === null ? null : nameOf(page));
  return {
    ...agreement,
    divergence: divergence && {
      place: divergence.place, first: named(divergence.first), second: named(divergence.second),
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
