import { constants, inflateRawSync } from 'node:zlib';
import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import type { Format } from '../format.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { buildNoting, type WarcOptions } from '../read-options.ts';
import { gzipHeaderBytes, beginsRecord } from '../../../base/web/index.ts';
import { archiveRecords, RECORD_LIMIT_BYTES } from './archive-records.ts';
import { Capture } from './capture.ts';


export const warc = {
  name: 'warc',
  title: 'WARC archive',
  holds: 'also WAT',
  several: true,
  dropsQuery: true,
  hasName: (path) => /\.(warc|wat)(\.gz)?$/i.test(path),
  begins: ({ stored }) => beginsLikeWarc(stored),
  read: readWarc,
} as const satisfies Format;

/**
 * Reads WARC and WAT archives, plain or gzipped, into one web graph. Pages are the responses in the order of the
 * records: status 2xx with the links of their HTML, status 3xx with a link to their Location. Pages that are only
 * linked to follow. README.md describes which links count and which URLs are one page. The first capture of a page
 * counts. Damaged parts are skipped, counted and reported with their position (`onFault`).
 * Errors   InputError if `dropQuery` has an invalid name; if a file cannot be read, is an ARC file, or contains no
 *          record; or if none contains a page; with the first fault.
 * Cost     O(bytes), decompressed. Memory: the graph, about 200 bytes per URL, and a few times `recordLimitBytes`; JSON
 *          or HTML crafted to be costly may take some thirty times that while it is read.
 */
export async function readWarc(paths: readonly string[], options: WarcOptions = {}): Promise<WebGraph> {
  const name = options.name ?? graphNameOfParts(paths);
  let firstFault = '';
  const reportFault = (text: string): void => {
    firstFault ||= `. The first fault: ${text}`;
    (options.onFault ?? options.onNote)?.(text);
  };
  const recordLimitBytes = options.recordLimitBytes ?? RECORD_LIMIT_BYTES;
  const capture = new Capture(recordLimitBytes, options.dropQuery);
  for (const path of paths) await readArchive(path, capture, { ...options, recordLimitBytes }, reportFault);
  capture.finish();
  if (capture.pages.captured === 0) {
    const what = paths.length === 1 ? paths[0] : `${paths.length} archives`;
    throw new InputError(`${what}: no record is an HTTP response with a page (${capture.recordsText()})${firstFault}`);
  }
  const fetchedOnly = options.fetchedOnly ?? false;
  for (const text of capture.notes(fetchedOnly)) options.onNote?.(`${name}: ${text}`);
  return buildNoting({ name, ...capture.pages.parts(fetchedOnly) }, options.onNote);
}

async function readArchive(
  path: string, capture: Capture, options: WarcOptions, reportFault: (text: string) => void,
): Promise<void> {
  capture.startFile();
  const reading = { ...options, types: ['response', 'metadata', 'warcinfo'], onFault: reportFault };
  const records = archiveRecords(path, reading, (record) => capture.add(record));
  while ((await records.next()).done !== true);
}

/** Whether a file whose first bytes are `stored` begins with a record, perhaps gzipped. */
function beginsLikeWarc(stored: Uint8Array): boolean {
  const header = gzipHeaderBytes(stored);
  try {
    const text =
      header === undefined ? stored : inflateRawSync(stored.subarray(header), { finishFlush: constants.Z_SYNC_FLUSH });
    return beginsRecord(text);
  } catch {
    return false; // Damaged gzip, which other readers report.
  }
}

/**
 * Whether a file in a folder is an archive by its name, including one of a refused format, so that none is silently
 * left out.
 */
export function isNamedArchive(name: string): boolean {
  return /\.(arc|warc|wat)(\.(gz|lz4|zst|bz2|xz))?$/i.test(name);
}
