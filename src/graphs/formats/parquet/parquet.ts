import type { SchemaElement } from 'hyparquet';
import type { WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { ArcList } from '../arc-list.ts';
import { linkColumns, noColumn } from '../columns/column-names.ts';
import { graphOfIds } from '../edge-list/edge-list.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { NamedLinks } from '../url-lists/named-pairs.ts';
import type { ReadOptions } from '../read-options.ts';
import { kindOf, readTable } from './parquet-table.ts';

/**
 * Reads tables of links in Apache Parquet; several files make one graph. Two columns are read, by name: source (also
 * src, from, from_id, source_url, ...) and target (also dst, to, dest, ...), in any case; all others are ignored.
 * Integers are page ids as in an edge list, texts are names or URLs as in named pairs. Each row is a link.
 *
 * Errors   InputError with file, and row group and column if it is within one.
 * Cost     O(rows + bytes of both columns); memory: the graph, and both columns of one row group. Rows are believed up
 *          to 64 per byte of the file.
 */
export async function readParquet(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const ids = new ArcList();
  const names = new NamedLinks();
  for (const path of paths) {
    await readTable(path, columnsOf, ([sources, targets]) => {
      if (sources instanceof Uint32Array && targets instanceof Uint32Array) {
        if (names.hasPages) return 'contains ids, but the files before it contain texts';
        for (let i = 0; i < sources.length; i++) ids.add(sources[i], targets[i]);
        return undefined;
      }
      if (ids.length > 0) return 'contains texts, but the files before it contain ids';
      for (let i = 0; i < sources.length; i++) {
        const fault = names.link(String(sources[i]), String(targets[i]));
        if (fault !== undefined) return `row ${i}: ${fault}`;
      }
      return undefined;
    });
  }
  const name = options.name ?? graphNameOfParts(paths);
  if (names.hasPages) return names.graph(name, options);
  if (ids.length === 0) throw new InputError(`${paths[0]}: contains no links`);
  const { sources, targets, largestId } = ids;
  return graphOfIds({ name, sources, targets, largestId }, options);
}

/** The columns of sources and targets. */
function columnsOf(columns: readonly SchemaElement[], path: string): [SchemaElement, SchemaElement] {
  const names = columns.map(({ name }) => name);
  const [source, target] = linkColumns(names, true).map((place, which, both) => {
    if (place < 0) {
      const role = which === 0 ? 'source' : 'target';
      throw new InputError(`${path}: ${noColumn(role, names, names[Math.max(...both)])}`);
    }
    const column = columns[place];
    const kind = kindOf(column);
    if (kind !== 'integers' && kind !== 'texts')
      throw new InputError(`${path}: column ${quoted(column.name)} contains ${kind}; expected integers or texts`);
    return column;
  });
  if (kindOf(source) !== kindOf(target)) {
    throw new InputError(
      `${path}: one of the columns ${quoted(source.name)} and ${quoted(target.name)} contains texts, the other integers`,
    );
  }
  return [source, target];
}
