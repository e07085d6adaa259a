import { stat } from 'node:fs/promises';
import type { WebGraph } from '../graph/index.ts';
import { InputError } from '../std/index.ts';
import { graphOfAdjacencyList } from './adjacency-list.ts';
import { beginsLikeProperties } from './bvgraph-properties.ts';
import { basenameOfBvGraph, readBvGraph } from './bvgraph.ts';
import { bytesOf, isMissing, readError } from './byte-source.ts';
import { catalogue, nearestNames } from './catalogue.ts';
import { graphOfEdgeList } from './edge-list.ts';
import { beginsLikeOwg, readOwg } from './owg.ts';
import { quoted } from './quote.ts';
import type { ReadOptions } from './read-options.ts';
import { readTables } from './tables.ts';

/** Enough to see what a text is: its first line, unless that is absurdly long. */
const PEEK_BYTES = 4096;

/** Letters of a mistaken name that the message repeats, enough for most paths. */
const LONGEST_NAME = 200;

/**
 * Opens the graph a user means by `nameOrPath`: a name of the catalogue (which wins over a file of that name; write
 * `./name` for the file), a folder of tables, or a file: a stored graph (.owg), an adjacency list (its first line is
 * one number) or an edge list, the texts plain or gzipped, or a BVGraph, by its basename or one of its files. Files are
 * told apart by content; a `.graph` is a BVGraph's where it has properties beside it, for its bits tell nothing.
 *
 * Errors   InputError where there is no such thing or what is there is damaged; the message names file and place.
 */
export async function openGraph(nameOrPath: string, options: ReadOptions = {}): Promise<WebGraph> {
  const entry = catalogue.find(({ name }) => name === nameOrPath);
  const path = entry?.path ?? nameOrPath;
  const kind = await stat(path).catch((error: unknown) => {
    if (!isMissing(error) || entry) throw readError(path, error);
    return undefined;
  });
  if (!kind) {
    if ((await exists(`${path}.properties`)) || (await exists(`${path}.graph`))) return readBvGraph(path, options);
    throw new InputError(
      `no graph ${quoted(nameOrPath, LONGEST_NAME)}: there is no such file or folder, and the catalogue has ${nearestNames(nameOrPath).join(', ')}`,
    );
  }
  const named: ReadOptions = { ...options, name: options.name ?? entry?.name };
  if (kind.isDirectory()) return readTables(path, named);
  if (!kind.isFile()) throw new InputError(`${path}: is neither a file nor a folder`);
  return openFile(path, named);
}

async function openFile(path: string, options: ReadOptions): Promise<WebGraph> {
  if (/\.owg$/i.test(path)) return readOwg(path, options);
  const properties = `${basenameOfBvGraph(path)}.properties`;
  const isOfBvGraph = /\.(graph|offsets)$/.test(path);
  if (isOfBvGraph && (await exists(properties))) return readBvGraph(path, options);
  const chunks = bytesOf(path);
  // Peeked bytes are copied, for the source uses its memory again.
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < PEEK_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  if (head.length === 0) throw new InputError(`${path}: is empty`);
  if (beginsLikeOwg(head)) {
    await chunks.return();
    return readOwg(path, options);
  }
  if (path === properties && beginsLikeProperties(head)) {
    await chunks.return();
    return readBvGraph(path, options);
  }
  if (isOfBvGraph && !isText(head)) {
    await chunks.return();
    throw new InputError(`${path}: is not text, and a BVGraph needs ${properties} beside it, which is not there`);
  }
  const whole = (async function* () {
    yield head;
    yield* chunks;
  })();
  return beginsWithOneNumber(head) ? graphOfAdjacencyList(whole, path, options) : graphOfEdgeList(whole, path, options);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}

function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
}

function beginsWithOneNumber(head: Uint8Array): boolean {
  const end = head.indexOf(10);
  const line = new TextDecoder('latin1').decode(head.subarray(0, end < 0 ? PEEK_BYTES : end));
  return /^\s*[0-9]+\s*$/.test(line);
}
