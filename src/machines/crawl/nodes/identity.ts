import { createHash } from 'node:crypto';
import { settingsByName, type Identity } from '../../cluster/index.ts';
import { packageVersion } from '../../../base/index.ts';
import type { LiveCrawlOptions, StoredCrawl } from '../live-crawl.ts';

/** All that nodes must agree in, by name. */
export function identityOf(
  { experiment, live, seeds }: StoredCrawl, nodes: number, { scores }: Pick<LiveCrawlOptions, 'scores'>,
): Identity {
  return {
    version: packageVersion(), nodes: String(nodes), ...settingsByName({ ...experiment, live, seeds }),
    ...(scores !== undefined && { scores: `sha256 ${digestOf(scores)}` }),
  };
}

function digestOf(scores: ReadonlyMap<string, number>): string {
  const hash = createHash('sha256');
  for (const [url, score] of scores) hash.update(`${url}\t${score}\n`);
  return hash.digest('hex').slice(0, 12);
}
