import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { trueRanks } from '../../../src/core/engine/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import type { Experiment } from '../../../src/core/settings/index.ts';
import { orbweaverProcess } from '../../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { GatedSite } from './gated-site.ts';

export interface CrawledWebOptions {
  readonly pages: number;
  /** As the generator draws them unless it is set. */
  readonly hosts?: number | undefined;
  readonly seed: number;
  /** One robot a processor, no delay, supersteps by count: then the order is that of one machine. */
  readonly isTimeless: boolean;
  readonly policy?: Experiment['policy'] | undefined;
}

/** A synthetic graph on loopback, and a crawl of it by the command. */
export interface CrawledWeb {
  readonly web: Loopback;
  readonly gate: GatedSite;
  /** URLs and settings of the crawl, as arguments of `crawl`. */
  readonly flags: readonly string[];
  readonly politenessMs: number;
  /** Folder of a crawl on one machine, which has ended; what it asked for is not in the log. */
  readonly alone: string;
}

export const processors = 6;
/** Of each processor. */
export const robotsOf = (isTimeless: boolean): number => (isTimeless ? 1 : 3);
export const leaseMs = 2000;
/** An answer that is held is no fault of its host. */
const heldMs = 600_000;

/** Serves it, and crawls it on one machine. The caller closes `web`. */
export async function crawledWeb(
  { pages, hosts, seed, isTimeless, policy = 'opic' }: CrawledWebOptions,
): Promise<CrawledWeb> {
  const graph = syntheticWeb(pages, seed, hosts);
  const site = graphWeb(graph, { latencyMs: 3, latencySigma: 0.5, robotsTxtShare: 0.5 }, seed);
  const gate = new GatedSite(site);
  const web = await loopback(gate);
  const politenessMs = isTimeless ? 0 : 10;
  const flags = [
    ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
    '--resolve', `*=127.0.0.1:${web.port}`, '--processors', String(processors),
    '--robots', String(robotsOf(isTimeless)), '--politeness-ms', String(politenessMs),
    '--reader-threads', '0', '--policy', policy, '--backoff-ms', '50',
    ...(isTimeless ? ['--superstep-ms', '0', '--superstep-limit', '6'] : ['--superstep-ms', '250']),
    '--headers-timeout-ms', String(heldMs), '--download-timeout-ms', String(heldMs), ...optionsOf(policy),
  ];
  if (policy === 'scores' || policy === 'pagerank') {
    const file = `${web.folder()}.tsv`;
    const lines = Array.from(trueRanks(prepare(graph)), (rank, page) => `${site.urls.urlOf(page)}\t${rank}\n`);
    writeFileSync(file, lines.join(''));
    flags.push('--scores', file);
  }
  const alone = web.folder();
  const { code, stderr } = await orbweaverProcess(['crawl', ...flags, '--out', alone], tmpdir());
  if (code !== 0) throw new Error(`the crawl on one machine ended with ${code}: ${stderr}`);
  web.log.length = 0;
  gate.restart();
  return { web, gate, flags, politenessMs, alone };
}

/** What some policies need to be told. */
function optionsOf(policy: Experiment['policy']): string[] {
  if (policy === 'weighted') return ['--weights', 'opic=0.7,larger-sites-first=0.3'];
  return policy === 'batch-pagerank' ? ['--rank-every-pages', '40'] : [];
}
