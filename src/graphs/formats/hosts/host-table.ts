import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { ArcList } from '../arc-list.ts';
import type { Format } from '../format.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { HostNames, isHostName } from './host-names.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { eachDataLine } from '../text-lines.ts';

/** A Map holds no more entries. */
const MAX_HOSTS = 2 ** 24;

export const hostTable = {
  name: 'host-table',
  title: 'host table',
  holds: 'year|host|host TAB links',
  several: true,
  begins: ({ firstLine = '' }) => /^[0-9]{4}\|[^|\t]+\|[^|\t]+\t[0-9]+$/.test(firstLine),
  read: readHostTables,
} as const satisfies Format;

/**
 * Reads tables of links between hosts, as published by archives: `year|host|host TAB links` per line, plain or gzipped;
 * several files make one graph. Each host is a page without a path, in the order of first mention. Years and numbers of
 * links are dropped; notes report their range and sum. Names with blanks, from mistyped links, are stored and reported.
 * Errors   InputError with file and line; also beyond 16,777,216 hosts.
 * Cost     O(bytes + n + m); memory: the graph and about 150 bytes per host.
 */
export async function readHostTables(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const idOf = new Map<string, number>();
  const names = new HostNames();
  const arcs = new ArcList();
  let links = 0;
  let firstYear = Infinity;
  let lastYear = 0;
  let odd = 0;
  for (const path of paths) {
    await eachDataLine(path, options, (line, fail) => {
      const fields = /^([0-9]{4})\|([^|\t]*)\|([^|\t]*)\t([0-9]{1,15})$/.exec(line);
      if (fields === null) return fail('expected year|host|host, a tab and a number of links');
      const hostId = (host: string): number => {
        const id = idOf.get(host);
        if (id !== undefined) return id;
        const name = Buffer.from(host);
        if (name.length === 0 || /\p{Cc}/u.test(host)) fail('a host is empty or has control characters');
        if (!isHostName(name)) odd++;
        if (idOf.size === MAX_HOSTS) fail(`is the first with more than ${MAX_HOSTS} hosts`);
        idOf.set(host, names.count);
        names.add(name);
        return names.count - 1;
      };
      arcs.add(hostId(fields[2]), hostId(fields[3]));
      links += Number(fields[4]);
      firstYear = Math.min(firstYear, Number(fields[1]));
      lastYear = Math.max(lastYear, Number(fields[1]));
    });
  }
  if (arcs.length === 0)
    throw new InputError(`${paths[0]}: contains no links; expected year|host|host, a tab and a number of links`);
  const name = options.name ?? graphNameOfParts(paths);
  options.onNote?.(
    `${name}: each page is a whole host, and each link represents one or more links between their pages, ${links} in all; weights are not stored`,
  );
  options.onNote?.(`${name}: links of ${firstYear === lastYear ? firstYear : `${firstYear} to ${lastYear}`}`);
  if (odd > 0)
    options.onNote?.(
      `${name}: ${odd} ${odd === 1 ? 'host has a name' : 'hosts have names'} with blanks, stored unchanged`,
    );
  const { sources, targets } = arcs;
  return buildNoting({ name, pages: names.count, hosts: names.hosts(), sources, targets }, options.onNote);
}
