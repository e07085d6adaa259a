import { simulate } from '../../src/core/engine/index.ts';
import { prepare, type WebGraph } from '../../src/graphs/graph/index.ts';

/** A crawl under one way of exchanging pairs; all but the names is simulated, and the same on every machine. */
export interface ExchangeCase {
  readonly exchange: string;
  readonly processors: number;
  readonly messageUs: number;
  readonly virtualSeconds: number;
  /** Sum over supersteps of g h + o k: what the pairs and messages of the busiest processor took. */
  readonly exchangeSeconds: number;
  readonly pairs: number;
  readonly messages: number;
  readonly megabytes: number;
  readonly pagerankArea: number;
}

/**
 * o of LogP, microseconds a message. A choice: from 3, on a network driven by the program itself, to 103, what Martin,
 * Vahdat, Culler & Anderson (ISCA 1997) slow it down to.
 */
const messageUsChoices = [3, 103];

const ways = [
  { name: 'bulk', exchange: 'bulk' }, { name: 'batch of 1,000', exchange: 'batch', exchangeBatch: 1000 },
  { name: 'batch of 100', exchange: 'batch', exchangeBatch: 100 },
  { name: 'batch of 10', exchange: 'batch', exchangeBatch: 10 }, { name: 'page', exchange: 'page' },
] as const;

/**
 * What exchanging once a superstep buys: time, messages and bytes of each way, with the default experiment but for the
 * processors.
 */
export async function benchExchange(graph: WebGraph): Promise<ExchangeCase[]> {
  const prepared = prepare(graph);
  const cases: ExchangeCase[] = [];
  for (const processors of [8, 32]) {
    for (const messageUs of messageUsChoices) {
      for (const { name, ...way } of ways) {
        const { run: { summary, experiment } } = await simulate(prepared, { ...way, processors, messageUs });
        const { communication, bsp } = summary;
        cases.push({
          exchange: name, processors, messageUs, virtualSeconds: summary.virtualSeconds,
          exchangeSeconds: (bsp.pairs * experiment.pairUs + bsp.messages * messageUs) / 1e6,
          pairs: Math.round(communication.pairsPerPage! * summary.pagesFetched), messages: communication.messages,
          megabytes: communication.bytes / 1e6, pagerankArea: summary.quality.pagerankArea,
        });
      }
    }
  }
  return cases;
}

export function printExchange(cases: readonly ExchangeCase[]): void {
  console.log('  P   o us  exchange          virtual s   exchange s       pairs    messages        MB  PageRank area');
  for (const one of cases) {
    const cells = [
      one.virtualSeconds.toFixed(1).padStart(10), one.exchangeSeconds.toFixed(3).padStart(12),
      String(one.pairs).padStart(11), String(one.messages).padStart(11), one.megabytes.toFixed(2).padStart(9),
      one.pagerankArea.toFixed(4).padStart(14),
    ];
    console.log(
      `${String(one.processors).padStart(3)}${String(one.messageUs).padStart(7)}  ${one.exchange.padEnd(16)} ${cells.join(' ')}`,
    );
  }
}
