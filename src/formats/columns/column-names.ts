import { quoted } from '../../base/index.ts';

const sourceNames = [
  'source', 'src', 'from', 'sourceid', 'srcid', 'fromid', 'sourceurl', 'srcurl', 'fromurl', 'sourcenode', 'fromnode',
  'fromnodeid', 'startid',
];
const targetNames = [
  'target', 'dst', 'to', 'targetid', 'dstid', 'toid', 'targeturl', 'dsturl', 'tourl', 'targetnode', 'tonode',
  'tonodeid', 'endid', 'dest', 'destination', 'destid', 'destinationid', 'desturl', 'destinationurl',
];

const scoreNames = ['score', 'rank', 'pagerank', 'value'];
const pageNames = ['page', 'pageid', 'id', 'url', 'pageurl', 'node', 'nodeid', 'vertex', 'vertexid'];

/** Names that mean source and target only together. */
const pairs = [['url', 'link'], ['page', 'link'], ['pageurl', 'linkurl'], ['url', 'outlink'], ['u', 'v']] as const;

/** Which column a table lacks. */
export type ColumnRole = 'source' | 'target' | 'page' | 'score';

/** The end of a message: a table has no column of a known name. */
export function noColumn(role: ColumnRole, names: readonly string[]): string {
  const [known, ...others] = { source: sourceNames, target: targetNames, page: pageNames, score: scoreNames }[role];
  return (
    `has no column ${known} (nor ${others.slice(0, 3).join(', ')}, ...); its columns are ` +
    names.slice(0, 20).map((name) => quoted(name, 30)).join(', ')
  );
}

/**
 * The places of the columns that links come from and lead to, by their names, in any case and with any punctuation
 * (`from_id`, `:START_ID`); -1 if there is none.
 */
export function linkColumns(names: readonly string[]): [source: number, target: number] {
  const plain = names.map(plainName);
  const found: [number, number] = [placeOf(sourceNames, plain), placeOf(targetNames, plain)];
  if (!found.includes(-1)) return found;
  const pair = pairs.find((both) => both.every((name) => plain.includes(name)));
  return pair === undefined ? found : [plain.indexOf(pair[0]), plain.indexOf(pair[1])];
}

/** The places of the columns of pages, by id or by URL, and of their scores, in the same way. */
export function scoreColumns(names: readonly string[]): [page: number, score: number] {
  const plain = names.map(plainName);
  return [placeOf(pageNames, plain), placeOf(scoreNames, plain)];
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The place of the first of the known names that is there; -1 if none is. */
function placeOf(known: readonly string[], names: readonly string[]): number {
  return known.map((name) => names.indexOf(name)).find((place) => place >= 0) ?? -1;
}
