import { isUtf8 } from 'node:buffer';
import type { WebGraph } from '../../graph/index.ts';
import { grown, InputError, quoted } from '../../../base/index.ts';
import { bytesOf, eachLine } from '../../../base/files/index.ts';
import type { Format } from '../format.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { HostNames, isHostName } from './host-names.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';

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
 * several files make one graph. Each host is a page, in the order of first mention, on the host of its name, without a
 * path. The number of links per line and the years are dropped; their sum and range are reported in notes. Names with
 * blanks, which occur in real tables because of mistyped links, are stored and reported.
 *
 * Errors   InputError with file and line; also beyond 16,777,216 hosts.
 * Cost     O(bytes + n + m); memory: the graph and about 150 bytes per host.
 */
export async function readHostTables(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const idOf = new Map<string, number>();
  const names = new HostNames();
  let sources = new Uint32Array(1 << 12);
  let targets = new Uint32Array(1 << 12);
  let lines = 0;
  let links = 0;
  let firstYear = Infinity;
  let lastYear = 0;
  let odd = 0;
  for (const path of paths) {
    await eachLine(bytesOf(path, options), path, (line, number) => {
      if (line.length === 0 || line[0] === 35) return;
      const fail = (what: string): never => {
        throw new InputError(`${path}: line ${number}: ${what}: ${quoted(line)}`);
      };
      if (!isUtf8(line)) fail('is not UTF-8');
      const fields = /^([0-9]{4})\|([^|\t]*)\|([^|\t]*)\t([0-9]{1,15})$/.exec(
        Buffer.from(line.buffer, line.byteOffset, line.length).toString(),
      );
      if (fields === null) return fail('expected year|host|host, a tab and a number of links');
      const hostId = (host: string): number => {
        const known = idOf.get(host);
        if (known !== undefined) return known;
        const name = Buffer.from(host);
        if (name.length === 0 || /\p{Cc}/u.test(host)) fail('a host is empty or has control characters');
        if (!isHostName(name)) odd++;
        if (idOf.size === MAX_HOSTS) fail(`is the first with more than ${MAX_HOSTS} hosts`);
        idOf.set(host, names.count);
        names.add(name);
        return names.count - 1;
      };
      sources = grown(sources, lines + 1);
      targets = grown(targets, lines + 1);
      sources[lines] = hostId(fields[2]);
      targets[lines++] = hostId(fields[3]);
      links += Number(fields[4]);
      firstYear = Math.min(firstYear, Number(fields[1]));
      lastYear = Math.max(lastYear, Number(fields[1]));
    });
  }
  if (lines === 0)
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
  const parts = {
    pages: names.count, hosts: names.hosts(), sources: sources.subarray(0, lines), targets: targets.subarray(0, lines),
  };
  return buildNoting({ name, ...parts }, options.onNote);
}
