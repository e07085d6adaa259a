import { hostsFromNames, StringTable, type GraphParts } from '../../graph/index.ts';
import { LargeSet } from '../../../base/index.ts';
import { pageUrl } from '../../../base/web/index.ts';
import type { ReadOptions } from '../read-options.ts';

/** At least two labels, of letters, digits and inner hyphens, and optionally a port. */
const HOST_NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?(:[0-9]+)?$/;

/**
 * Hosts and paths of pages that a file lists by URL or name; entry i is page i, even if it is repeated. If the first is
 * a URL, all should be: another entry gets its own host, `page-i.invalid`. Such pages, pages that share a URL, and
 * malformed names of hosts are counted and reported. Otherwise a page's path is `/` and its name, and hosts are drawn.
 * Cost  O(characters); memory about 200 bytes per page.
 */
export function listedPages(
  graphName: string, entries: readonly string[], onNote: ReadOptions['onNote'],
): Pick<GraphParts, 'hosts' | 'paths'> {
  if (entries.length === 0 || !entries[0].includes('://')) {
    return { paths: StringTable.from(entries.map((name) => `/${name}`)) };
  }
  const hosts: string[] = [];
  const paths: string[] = [];
  const earlier = new LargeSet<string>();
  const odd: number[] = [];
  let twice = 0;
  for (const [page, entry] of entries.entries()) {
    // Without two slashes a parser would take the first folder for the host.
    const url = /^https?:\/\/[^/]/i.test(entry) ? pageUrl(entry) : 'invalid';
    if (typeof url === 'string') odd.push(page);
    hosts.push(typeof url === 'string' ? `page-${page}.invalid` : url.host);
    paths.push(typeof url === 'string' ? '/' : url.pathname + url.search);
    const place = hosts[page] + paths[page];
    if (earlier.has(place)) twice++;
    else earlier.add(place);
  }
  if (odd.length > 0) {
    onNote?.(
      `${graphName}: ${odd.length} ${odd.length === 1 ? 'page has' : 'pages have'} no valid URL of http or https ` +
        `(the first is page ${odd[0]}); each has a host of its own, page-N.invalid`,
    );
  }
  const malformed = new Set(hosts.filter((host) => !HOST_NAME.test(host))).size;
  if (malformed > 0) {
    onNote?.(
      `${graphName}: ${malformed} ${malformed === 1 ? 'host has a malformed name' : 'hosts have malformed names'}, stored unchanged`,
    );
  }
  if (twice > 0)
    onNote?.(
      `${graphName}: ${twice} ${twice === 1 ? 'page has' : 'pages have'} the URL of an earlier page; both are stored`,
    );
  return { hosts: hostsFromNames(hosts), paths: StringTable.from(paths) };
}
