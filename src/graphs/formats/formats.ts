import { InputError } from '../../base/index.ts';
import { adjacencyList } from './adjacency-list/adjacency-list.ts';
import { bvGraph } from './bvgraph/bvgraph.ts';
import { csv } from './columns/csv.ts';
import { networkx } from './columns/networkx.ts';
import { heritrix, nutch } from './crawl-logs/crawl-log-formats.ts';
import { edgeList } from './edge-list/edge-list.ts';
import { startOf } from './file-start.ts';
import type { FileKind, Format } from './format.ts';
import { gml } from './gml/gml.ts';
import { hostTable } from './hosts/host-table.ts';
import { hostGraph } from './hosts/vertices.ts';
import { matrix } from './matrix/matrix.ts';
import { metis } from './metis/metis.ts';
import { owg } from './owg/owg.ts';
import { pajek } from './pajek/pajek.ts';
import { parquet } from './parquet/parquet-format.ts';
import { site } from './site/site.ts';
import { tables } from './tables/tables.ts';
import { keyValues, unreadKinds, unreadTextKinds } from './unread-formats.ts';
import { namedPairs, names } from './url-lists/named-pairs.ts';
import { numberedUrls } from './url-lists/numbered-urls.ts';
import { taggedUrls } from './url-lists/tagged-urls.ts';
import { urlBlockLinks, urlBlocks } from './url-lists/url-blocks.ts';
import { warc } from './warc/read-warc.ts';
import { gexf, graphMl } from './xml/xml-formats.ts';

/**
 * Every kind of file, in the order in which they are tried: the first whose name matches, otherwise the first whose
 * beginning matches. Among several files, the first format here that matches any of them decides. The order matters:
 *
 *  - archives are recognised from the bytes as stored, so that one damaged early is still read, without the damaged
 *    part;
 *  - binary forms and refused ones come before texts, whose marks could occur in them by chance;
 *  - among lists of numbers the narrower form comes first: `edges` accepts whatever begins with two numbers, or has
 *    only comments, and is last;
 *  - `metis` comes before `edges`, and accepts only what cannot be a list of edges; what may be both is refused until
 *    the user names the format (edge-list/number-lines.ts);
 *  - `csv` and `networkx` come before `edges` and `named-pairs`, and accept only what these cannot read;
 *  - `host-graph` comes before `edges`, its partner: a graph with vertices among its files is not a list of edges.
 */
const kinds = [
  warc,
  owg,
  bvGraph,
  parquet,
  ...unreadKinds,
  ...unreadTextKinds,
  gexf,
  graphMl,
  gml,
  pajek,
  urlBlocks,
  urlBlockLinks,
  adjacencyList,
  matrix,
  numberedUrls,
  taggedUrls,
  hostTable,
  hostGraph,
  heritrix,
  nutch,
  keyValues,
  csv,
  networkx,
  namedPairs,
  names,
  metis,
  edgeList,
  // Folders, which `openGraph` distinguishes by their contents.
  tables,
  site,
] as const satisfies readonly FileKind[];

type AnyFormat = Extract<(typeof kinds)[number], Format>;
export type FormatName = AnyFormat['name'];

const isFormat = (kind: FileKind): kind is AnyFormat => 'read' in kind;

/** The supported formats, by the names that users give them, in the order above. */
export const formatNames = kinds.filter(isFormat).map(({ name }) => name) as [FormatName, ...FormatName[]];

/** Every form in which a graph is read, by name. */
export const formats = Object.fromEntries(
  kinds.filter(isFormat).map((format) => [format.name, format]),
) as unknown as Readonly<Record<FormatName, Format>>;

/**
 * The kind of a file, by its name or its first bytes; undefined if nothing known matches.
 * Errors   InputError for a format that is known and not supported; as bytesOf.
 */
export async function fileKind(path: string): Promise<FileKind | Format | undefined> {
  const ofName = (kinds as readonly FileKind[]).find(({ hasName }) => hasName?.(path) === true);
  if (ofName !== undefined) return ofName;
  const start = await startOf(path);
  const kind = (kinds as readonly FileKind[]).find(({ begins }) => begins?.(start) === true);
  if (kind?.refusal !== undefined) throw new InputError(`${path}: ${kind.refusal}`);
  return kind;
}
