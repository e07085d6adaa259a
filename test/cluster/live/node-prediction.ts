import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulate } from '../../../src/core/engine/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import type { LiveExperiment } from '../../../src/machines/crawl/index.ts';
import { readRunJson } from '../../../src/core/measure/record/read/read-run.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { orbweaverProcess } from '../../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../../crawl/loopback.ts';
import { RedisServer } from '../redis-server.ts';

export interface NodePrediction {
  /** Pages fetched by all nodes. */
  readonly pages: number;
  /** Of the crawl's clock at its last barrier. */
  readonly seconds: number;
  /** The same of a simulation of the web that was served: pages and virtual seconds. */
  readonly predictedPages: number;
  readonly predictedSeconds: number;
}

/**
 * Crawls a synthetic web whose hosts are slow and have a delay, on several nodes by the command, and simulates the
 * same crawl. @throws Error if a node fails.
 */
export async function predictNodes(
  { nodes, pages, seed, haste = 1 }: { nodes: number; pages: number; seed: number; haste?: number },
): Promise<NodePrediction> {
  const graph = syntheticWeb(pages, seed);
  const network = { latencyMs: 100 / haste, latencySigma: 0.5, bandwidthBytesPerSecond: 0 };
  const site = graphWeb(graph, network, seed);
  const web = await loopback(site);
  await using redis = await RedisServer.start();
  const place = mkdtempSync(join(tmpdir(), 'orbweaver-nodes-'));
  const settings: ExperimentInput = {
    processors: 4, robots: 4, politenessMs: 500 / haste, superstepMs: 5000 / haste, policy: 'breadth-first', seed,
  };
  try {
    const flags = [
      ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
      '--resolve', `*=127.0.0.1:${web.port}`, '--processors', '4', '--robots', '4', '--reader-threads', '0',
      '--politeness-ms', String(settings.politenessMs), '--superstep-ms', String(settings.superstepMs),
      '--policy', 'breadth-first', '--robots-txt', 'ignore', '--no-warc', '--seed', String(seed),
      '--cluster', redis.url, '--nodes', String(nodes), '--out', 'crawl',
    ];
    const ended = await Promise.all(Array.from({ length: nodes }, (_, node) =>
      orbweaverProcess(['crawl', ...flags, '--node', String(node)], place)));
    for (const { code, stderr } of ended) if (code !== 0) throw new Error(`a node ended with ${code}: ${stderr}`);
    const runs = await Promise.all(Array.from({ length: nodes }, (_, node) =>
      readRunJson<LiveExperiment>(join(place, 'crawl', `node-${node}`))));
    const predicted = await simulate(prepare(graph), {
      ...settings, network: { ...graphNetwork, ...network }, seedPages: [...site.seedPages],
    });
    const { pagesFetched, virtualSeconds } = predicted.run.summary;
    return {
      pages: runs.reduce((sum, { summary }) => sum + summary.pagesFetched, 0),
      seconds: Math.max(...runs.map(({ summary }) => summary.virtualSeconds)),
      predictedPages: pagesFetched, predictedSeconds: virtualSeconds,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
    await web.close();
  }
}

/** What graphWeb leaves out as well. */
const graphNetwork = { bandwidthSigma: 0, processorBandwidthBytesPerSecond: 0 };
