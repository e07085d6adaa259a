import { quoted } from '../../../base/index.ts';
import { bytesOf, eachLine } from '../../../base/files/index.ts';
import { failIn, type Fail } from '../text-lines.ts';
import { codeOf, type CodeName } from './codes.ts';

/** The parts of a BVGraph that are coded, and the codes that the framework has for each, its default first. */
const CODES = {
  OUTDEGREES: ['GAMMA', 'DELTA'],
  BLOCKS: ['GAMMA', 'DELTA'],
  RESIDUALS: ['ZETA', 'GAMMA', 'DELTA', 'NIBBLE', 'GOLOMB'],
  REFERENCES: ['UNARY', 'GAMMA', 'DELTA'],
  BLOCK_COUNT: ['GAMMA', 'DELTA', 'UNARY'],
  OFFSETS: ['GAMMA', 'DELTA'],
} as const satisfies Record<string, readonly CodeName[]>;

type Coded = keyof typeof CODES;

export type BvGraphCodes = { readonly [C in Coded]: (typeof CODES)[C][number] };

export const DEFAULT_CODES: BvGraphCodes = {
  OUTDEGREES: 'GAMMA', BLOCKS: 'GAMMA', RESIDUALS: 'ZETA', REFERENCES: 'UNARY', BLOCK_COUNT: 'GAMMA', OFFSETS: 'GAMMA',
};

export interface BvGraphProperties {
  readonly nodes: number;
  readonly arcs: number;
  /** How far back a list may refer; 0: not at all. */
  readonly windowSize: number;
  /** Shortest run of successive pages that is written as an interval; 0: none are. */
  readonly minIntervalLength: number;
  /** Shrinking factor of zeta, modulus of golomb. */
  readonly zetaK: number;
  readonly codes: BvGraphCodes;
}

const GRAPH_CLASS = 'it.unimi.dsi.webgraph.BVGraph';
const READABLE_CLASSES: readonly string[] = [GRAPH_CLASS, 'it.unimi.dsi.big.webgraph.BVGraph'];
const VERSION = 0;
export const MAX_PAGES = 2 ** 31 - 1;
const MAX_ARCS = 2 ** 32 - 1;

const KEYS = [
  'graphclass', 'version', 'nodes', 'arcs', 'windowsize', 'minintervallength', 'zetak', 'compressionflags',
  'endianness',
] as const;

type Key = (typeof KEYS)[number];

/** Whether a text that begins with these bytes is a properties file of the framework, for any class of graphs. */
export function beginsLikeProperties(head: Uint8Array): boolean {
  return /^[ \t]*graphclass[ \t]*[=:]/m.test(new TextDecoder('latin1').decode(head));
}

/**
 * Reads the properties that decoding needs: no statistics, nor `maxrefcount`, which only bounds the cost of random
 * access.
 * Errors   InputError with file and key for anything missing or malformed, or an unknown class, version or flag.
 */
export async function readProperties(file: string): Promise<BvGraphProperties> {
  const values = new Map<Key, string>();
  await eachLine(bytesOf(file), file, (line) => {
    const match = /^\s*([a-z]+)\s*[=:\s]\s*(.*?)\s*$/.exec(new TextDecoder('latin1').decode(line));
    const key = KEYS.find((name) => name === match?.[1]);
    // The last mention of a key counts, as in Java.
    if (match && key) values.set(key, match[2]);
  });
  const fail: Fail = failIn(file);
  const valueOf = (key: Key): string => values.get(key) ?? fail(`has no ${key}`);
  const integer = (key: Key, min: number, max: number): number => {
    const text = valueOf(key);
    const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max
      ? value
      : fail(`${key} is ${quoted(text)}; expected an integer from ${min} to ${max}`);
  };
  const graphClass = valueOf('graphclass');
  if (!READABLE_CLASSES.includes(graphClass))
    fail(`graphclass is ${quoted(graphClass)}; this program reads ${GRAPH_CLASS}`);
  const version = valueOf('version');
  if (version !== String(VERSION)) fail(`version is ${quoted(version)}; this program reads version ${VERSION}`);
  const endianness = values.get('endianness') ?? 'big';
  if (endianness !== 'big') fail(`endianness is ${quoted(endianness)}; this program reads big`);
  const nodes = integer('nodes', 0, MAX_PAGES);
  if (nodes === 0) fail('has no nodes: there is no page to crawl');
  const arcs = integer('arcs', 0, MAX_ARCS);
  if (arcs > nodes * nodes) fail(`arcs is ${arcs}, more than ${nodes} nodes can have`);
  return {
    nodes,
    arcs,
    windowSize: integer('windowsize', 0, MAX_PAGES),
    minIntervalLength: integer('minintervallength', 0, MAX_PAGES),
    // Above 31, zeta is minimal binary for any k.
    zetaK: values.has('zetak') ? integer('zetak', 1, 31) : 3,
    codes: codesOf(values.get('compressionflags') ?? '', fail),
  };
}

/** Codes from flags such as `OUTDEGREES_DELTA | RESIDUALS_GAMMA`; the default for those not named. */
function codesOf(flags: string, fail: Fail): BvGraphCodes {
  const codes: Record<string, CodeName> = { ...DEFAULT_CODES };
  for (const flag of flags.split('|').map((part) => part.trim()).filter((part) => part !== '')) {
    const coded = (Object.keys(CODES) as Coded[]).find((name) => flag.startsWith(`${name}_`));
    const code = coded && CODES[coded].find((name) => flag === `${coded}_${name}`);
    if (!code) return fail(`compressionflags has ${quoted(flag)}, which this program does not know`);
    codes[coded] = code;
  }
  return codes as BvGraphCodes;
}

/** The text of a `.properties` file. @param bits of the graph file, for its statistics. */
export function propertiesText(properties: BvGraphProperties, maxRefCount: number, bits: number): string {
  const { nodes, arcs, windowSize, minIntervalLength, zetaK, codes } = properties;
  const flags = (Object.keys(CODES) as Coded[])
    .filter((coded) => codes[coded] !== DEFAULT_CODES[coded])
    .map((coded) => `${coded}_${codes[coded]}`);
  const lines: [string, string | number][] = [
    ['graphclass', GRAPH_CLASS],
    ['version', VERSION],
    ['nodes', nodes],
    ['arcs', arcs],
    ['windowsize', windowSize],
    ['maxrefcount', maxRefCount],
    ['minintervallength', minIntervalLength],
    ['zetak', zetaK],
    ['compressionflags', flags.join(' | ')],
    ['bitsperlink', (arcs === 0 ? 0 : bits / arcs).toFixed(3)],
    ['bitspernode', (nodes === 0 ? 0 : bits / nodes).toFixed(3)],
  ];
  return `#BVGraph properties\n${lines.map(([key, value]) => `${key}=${value}\n`).join('')}`;
}

/** The codes of the parts of a list (bvgraph-rows.ts). */
export type RowCodes = ReturnType<typeof rowCodes>;

export function rowCodes({ codes: names, zetaK }: Pick<BvGraphProperties, 'codes' | 'zetaK'>) {
  const { OUTDEGREES, REFERENCES, BLOCK_COUNT, BLOCKS, RESIDUALS } = names;
  const [degrees, references, blockCounts, blocks, residuals] =
    [OUTDEGREES, REFERENCES, BLOCK_COUNT, BLOCKS, RESIDUALS].map((name) => codeOf(name, zetaK));
  return { gamma: codeOf('GAMMA', 0), degrees, references, blockCounts, blocks, residuals };
}
