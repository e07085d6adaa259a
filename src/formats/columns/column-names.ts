import { quoted } from '../../base/index.ts';

const sourceNames = [
  'source', 'src', 'from', 'sourceid', 'srcid', 'fromid', 'sourceurl', 'srcurl', 'fromurl', 'sourcenode', 'fromnode',
  'fromnodeid', 'startid',
];
const targetNames = [
  'target', 'dst', 'to', 'targetid', 'dstid', 'toid', 'targeturl', 'dsturl', 'tourl', 'targetnode', 'tonode',
  'tonodeid', 'endid', 'dest', 'destination', 'destid', 'destinationid', 'desturl', 'destinationurl',
];

/** Names that mean source and target only together. */
const pairs = [['url', 'link'], ['page', 'link'], ['pageurl', 'linkurl'], ['url', 'outlink'], ['u', 'v']] as const;

/** The end of a message: a table has no column of a known name. @param which 0: source, 1: target. */
export function noColumn(which: number, names: readonly string[]): string {
  const [known, ...others] = [sourceNames, targetNames][which];
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
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const placeOf = (known: readonly string[]): number =>
    known.map((name) => plain.indexOf(name)).find((place) => place >= 0) ?? -1;
  const found: [number, number] = [placeOf(sourceNames), placeOf(targetNames)];
  if (!found.includes(-1)) return found;
  const pair = pairs.find((both) => both.every((name) => plain.includes(name)));
  return pair === undefined ? found : [plain.indexOf(pair[0]), plain.indexOf(pair[1])];
}
