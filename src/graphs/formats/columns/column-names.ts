import { quoted } from '../../../base/index.ts';

/** Words for both ends of a link, the preferred ones first: exports of crawlers have a Target beside a Destination. */
const sourceWords = [
  'source', 'src', 'from', 'origin', 'start', 'referring', 'referrer', 'referer', 'linking', 'citing', 'parent',
];
const targetWords = ['destination', 'dest', 'dst', 'target', 'tgt', 'to', 'end', 'linked', 'cited', 'child', 'outlink'];
/** Words that name an end only beside a noun, as in `start_id` and `Referring page URL`. */
const incomplete = new Set(['start', 'end', 'referring', 'linking', 'linked']);
/** Nouns beside those words. Ids are preferred, then pages, then what many pages share or what may be no name. */
const pageNouns = ['url', 'uri', 'href', 'page', 'node', 'vertex', 'address', 'article', 'link', 'key'];
const otherNouns = ['hostname', 'host', 'domain', 'site', 'name', 'title', 'label'];
const noun = `(?:id|${[...pageNouns, ...otherNouns].join('|')})`;

const scoreNames = [
  'score', 'pagerank', 'pagerankscore', 'linkscore', 'pr', 'rank', 'value', 'importance', 'authority', 'weight',
];
const pageNames = [
  'page', 'pageid', 'id', 'url', 'pageurl', 'node', 'nodeid', 'vertex', 'vertexid', 'uri', 'address', 'link', 'host',
  'hostname', 'domain', 'site', 'name', 'title', 'label',
];

/** Names that mean source and target only together. */
const pairs = [
  ['url', 'link'], ['page', 'link'], ['pageurl', 'linkurl'], ['url', 'outlink'], ['url', 'href'], ['page', 'href'],
  ['parentname', 'urlname'], ['parenturl', 'url'], ['referrer', 'url'], ['referer', 'url'], ['u', 'v'],
] as const;
/** Pairs that may as well be the names of two pages. */
const doubtfulPairs = [
  ['i', 'j'], ...['node', 'id', 'page', 'url', 'vertex', 'host', 'v'].map((name) => [`${name}1`, `${name}2`] as const),
] as const;

/** Which column a table lacks. */
export type ColumnRole = 'source' | 'target' | 'page' | 'score';

const usual = {
  source: ['source', 'src', 'from', 'sourceid'], target: ['target', 'destination', 'to', 'targetid'],
  page: pageNames, score: ['score', 'rank', 'pagerank', 'value'],
};

/**
 * The end of a message that a table lacks a column. @param took the column of the other end of its links, if there is
 * one.
 */
export function noColumn(role: ColumnRole, names: readonly string[], took?: string): string {
  const [first, ...others] = usual[role];
  return (
    `has no column ${first} (nor ${others.slice(0, 3).join(', ')}, ...); its columns are ` +
    names.slice(0, 20).map((name) => quoted(name, 30)).join(', ') +
    (took === undefined ? '' : `, of which ${quoted(took, 30)} is the other end`)
  );
}

/** An end of links that a column may hold. */
interface End {
  readonly place: number;
  /** What the name says besides: `id`, `pageurl`, or nothing. */
  readonly of: string;
  /** Smaller ones are preferred. */
  readonly rank: number;
}

/** The columns whose names have one of these words, alone or with nouns before or after it. */
function endsIn(names: readonly string[], words: readonly string[]): End[] {
  const form = new RegExp(`^(?:(${noun}{0,2})(${words.join('|')})|(${words.join('|')})(${noun}{1,2}))$`);
  return names.flatMap((name, place) => {
    const match = form.exec(name) as (string | undefined)[] | null;
    const [, nounBefore, last, first, nounAfter] = match ?? [];
    const [word, of] = [last ?? first ?? '', nounBefore ?? nounAfter ?? ''];
    if (match === null || (of === '' && incomplete.has(word))) return [];
    const ofNoun = of === '' ? 0 : of.includes('id') ? 1 : pageNouns.some((word) => of.includes(word)) ? 2 : 3;
    return [{ place, of, rank: 100 * ofNoun + words.indexOf(word) }];
  });
}

/**
 * The places of the columns of sources and targets, by their names in any case and with any punctuation (`from_id`,
 * `:START_ID(Page)`, `URL to`); -1 where a column is missing. Two columns that name the same thing of both ends are
 * preferred.
 * @param isHeader whether they are certainly names of columns.
 */
export function linkColumns(names: readonly string[], isHeader: boolean): [source: number, target: number] {
  const plain = names.map(plainName);
  const [sources, targets] = [endsIn(plain, sourceWords), endsIn(plain, targetWords)];
  const both = sources.flatMap((source) => targets.map((target) => ({
    source, target, rank: source.rank + target.rank + (source.of === target.of ? 0 : 1000),
  })));
  const best = both.sort((a, b) => a.rank - b.rank).at(0);
  if (best !== undefined) return [best.source.place, best.target.place];
  const pair = [...pairs, ...(isHeader ? doubtfulPairs : [])].find((two) => two.every((name) => plain.includes(name)));
  if (pair !== undefined) return [plain.indexOf(pair[0]), plain.indexOf(pair[1])];
  const placeIn = (ends: readonly End[]): number => ends.toSorted((a, b) => a.rank - b.rank).at(0)?.place ?? -1;
  return [placeIn(sources), placeIn(targets)];
}

/** The places of the columns of pages, by id or by URL, and of their scores, in the same way. */
export function scoreColumns(names: readonly string[]): [page: number, score: number] {
  const plain = names.map(plainName);
  return [placeOf(pageNames, plain), placeOf(scoreNames, plain)];
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\([^()]*\)$/, '').replace(/[^a-z0-9]/g, '');
}

/** The place of the first of the known names that is there; -1 if none is. */
function placeOf(words: readonly string[], names: readonly string[]): number {
  return words.map((name) => names.indexOf(name)).find((place) => place >= 0) ?? -1;
}
