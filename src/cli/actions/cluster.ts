import { clusterStatus } from '../../machines/cluster/index.ts';
import { shownRedis } from '../../machines/cluster/redis-url.ts';
import type { RawFlags } from '../flags/flags.ts';
import { clusterText } from '../text/cluster-text.ts';
import { print } from '../text/output.ts';

interface Flags extends RawFlags {
  readonly json?: true;
}

export async function runClusterStatus(url: string, flags: Flags): Promise<void> {
  const crawls = await clusterStatus(url);
  const redis = shownRedis(url);
  print(flags.json, () => ({ redis, crawls }), () => crawls.map((crawl) => clusterText(crawl, redis)).join('\n\n'));
}
