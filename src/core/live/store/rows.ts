import { crc32 } from 'node:zlib';
import { assert } from '../../../base/index.ts';
import { hostTroubles, outcomeKinds } from '../../world/index.ts';
import type {
  HostRest, LinkBeyond, NewPage, PageElsewhere, Reach, RobotsNote, StoredCheckpoint, StoredOutcome, Visit,
} from './crawl-store.ts';

/**
 * The rows of a stored crawl. All numbers are little-endian, and every row begins with the CRC-32 of the rest of it.
 *
 *     pages    4 count | count times: 4 depth, 2 redirects, 2 hops, 4 length of its URL in UTF-16 units | the URLs end
 *              to end, UTF-8
 *     elsewhere  4 page | 4 depth | 2 redirects | 2 hops
 *     reach    4 depth | 2 redirects | 2 hops
 *     visit    1 kind (its position in outcomeKinds) | 1 length of the digest | 1 whether there is a WARC record
 *              | 1 whether its link is the target of a redirect | 8 bytes | 8 waitUs | 8 finishedAtUs | 8 WARC end
 *              | 4 WARC file | 4 per link | the digest, ASCII
 *     beyond   4 count | count times: 4 place, 4 page, or 2^32 - 1 for a URL, 4 how many UTF-16 units the URL has in
 *              common with the one before it, 4 how many follow | what follows of each, end to end, UTF-8
 *     ids      4 per page
 *     robots   4 status | 8 fetchedAtMs | 8 expiresAtMs | 4 length of the origin in bytes | origin, UTF-8 | body
 *     rest     4 failures | 8 sinceMs | 8 restMs | host, UTF-8
 *     outcome  4 processor | 4 page | 1 kind | 1 the host's trouble (its position in hostTroubles, plus 1; 0 for none)
 *              | 2 zero | 8 bytes | 8 waitUs | 8 startedAtUs | 8 finishedAtUs, and where the address of its host is
 *              known, 8 how long that rests, microseconds | the address, ASCII
 *     checkpoint   8 barrierUs | state
 *
 * Earlier versions wrote no hops, and redirects, at most 255, as 4 bytes: hops are then 0.
 *
 * Decoders return undefined if a row is not what was written.
 */
const CRC_BYTES = 4;
const PAGE_BYTES = 12;
const ELSEWHERE_BYTES = 16;
const REACH_BYTES = 12;
const BEYOND_BYTES = 16;
const NO_PAGE = 2 ** 32 - 1;
const VISIT_BYTES = 44;
const ROBOTS_BYTES = 28;
const REST_BYTES = 24;
export const OUTCOME_BYTES = 48;
const CHECKPOINT_BYTES = 12;

/** Sets the checksum at the beginning of the row. */
function sealed(row: Buffer): Buffer {
  row.writeUInt32LE(crc32(row.subarray(CRC_BYTES)), 0);
  return row;
}

function isSound(row: Buffer, minBytes: number): boolean {
  return row.length >= minBytes && row.readUInt32LE(0) === crc32(row.subarray(CRC_BYTES));
}

/** Any bytes, preceded by their checksum. */
export function encodeBytes(bytes: Uint8Array): Buffer {
  const row = Buffer.allocUnsafe(CRC_BYTES + bytes.length);
  row.set(bytes, CRC_BYTES);
  return sealed(row);
}

export function decodeBytes(row: Buffer): Buffer | undefined {
  return isSound(row, CRC_BYTES) ? row.subarray(CRC_BYTES) : undefined;
}

export function encodePages(pages: readonly NewPage[]): Buffer {
  const urls = pages.map((page) => page.url).join('');
  const head = CRC_BYTES + 4 + PAGE_BYTES * pages.length;
  const row = Buffer.allocUnsafe(head + Buffer.byteLength(urls));
  let at = row.writeUInt32LE(pages.length, CRC_BYTES);
  for (const { url, ...reach } of pages) {
    at = writeReach(row, reach, at);
    at = row.writeUInt32LE(url.length, at);
  }
  row.write(urls, head);
  return sealed(row);
}

export function decodePages(row: Buffer): NewPage[] | undefined {
  if (!isSound(row, CRC_BYTES + 4)) return undefined;
  const count = row.readUInt32LE(CRC_BYTES);
  const head = CRC_BYTES + 4 + PAGE_BYTES * count;
  if (head > row.length) return undefined;
  const urls = row.toString('utf8', head);
  const pages: NewPage[] = [];
  let from = 0;
  for (let at = CRC_BYTES + 4; at < head; at += PAGE_BYTES) {
    const to = from + row.readUInt32LE(at + 8);
    pages.push({ url: urls.slice(from, to), ...readReach(row, at) });
    from = to;
  }
  return from === urls.length ? pages : undefined;
}

export function encodeElsewhere({ page, ...reach }: PageElsewhere): Buffer {
  const row = Buffer.allocUnsafe(ELSEWHERE_BYTES);
  row.writeUInt32LE(page, 4);
  writeReach(row, reach, 8);
  return sealed(row);
}

export function decodeElsewhere(row: Buffer): Omit<PageElsewhere, 'url'> | undefined {
  if (row.length !== ELSEWHERE_BYTES || !isSound(row, ELSEWHERE_BYTES)) return undefined;
  return { page: row.readUInt32LE(4), ...readReach(row, 8) };
}

export function encodeReach(reach: Reach): Buffer {
  const row = Buffer.allocUnsafe(REACH_BYTES);
  writeReach(row, reach, 4);
  return sealed(row);
}

export function decodeReach(row: Buffer): Reach | undefined {
  if (row.length !== REACH_BYTES || !isSound(row, REACH_BYTES)) return undefined;
  return readReach(row, 4);
}

function writeReach(row: Buffer, { depth, redirects, hops = 0 }: Reach, at: number): number {
  row.writeUInt32LE(depth, at);
  row.writeUInt16LE(redirects, at + 4);
  return row.writeUInt16LE(hops, at + 6);
}

function readReach(row: Buffer, at: number): Reach {
  const hops = row.readUInt16LE(at + 6);
  return { depth: row.readUInt32LE(at), redirects: row.readUInt16LE(at + 4), ...(hops > 0 && { hops }) };
}

export function encodeBeyond(links: readonly LinkBeyond[]): Buffer {
  let last = '';
  const parts = links.map(({ place, to }) => {
    if (typeof to === 'number') return { numbers: [place, to, 0, 0], rest: '' };
    const shared = sharedLength(last, to);
    last = to;
    return { numbers: [place, NO_PAGE, shared, to.length - shared], rest: to.slice(shared) };
  });
  const text = parts.map(({ rest }) => rest).join('');
  const head = CRC_BYTES + 4 + BEYOND_BYTES * links.length;
  const row = Buffer.allocUnsafe(head + Buffer.byteLength(text));
  let at = row.writeUInt32LE(links.length, CRC_BYTES);
  for (const { numbers } of parts) for (const number of numbers) at = row.writeUInt32LE(number, at);
  row.write(text, head);
  return sealed(row);
}

/** How many UTF-16 units two texts have in common at their beginning, of which none ends half a character. */
function sharedLength(text: string, other: string): number {
  let length = 0;
  while (length < text.length && text.charCodeAt(length) === other.charCodeAt(length)) length++;
  return /[\ud800-\udbff]$/.test(text.slice(Math.max(0, length - 1), length)) ? length - 1 : length;
}

export function decodeBeyond(row: Buffer): LinkBeyond[] | undefined {
  if (!isSound(row, CRC_BYTES + 4)) return undefined;
  const head = CRC_BYTES + 4 + BEYOND_BYTES * row.readUInt32LE(CRC_BYTES);
  if (head > row.length) return undefined;
  const text = row.toString('utf8', head);
  const links: LinkBeyond[] = [];
  let from = 0;
  let last = '';
  for (let at = CRC_BYTES + 4; at < head; at += BEYOND_BYTES) {
    const page = row.readUInt32LE(at + 4);
    const end = from + row.readUInt32LE(at + 12);
    if (page === NO_PAGE) last = last.slice(0, row.readUInt32LE(at + 8)) + text.slice(from, end);
    links.push({ place: row.readUInt32LE(at), to: page === NO_PAGE ? last : page });
    from = end;
  }
  return from === text.length ? links : undefined;
}

export function encodeIds(ids: Uint32Array): Buffer {
  const row = Buffer.allocUnsafe(CRC_BYTES + 4 * ids.length);
  let at = CRC_BYTES;
  for (const id of ids) at = row.writeUInt32LE(id, at);
  return sealed(row);
}

export function decodeIds(row: Buffer): Uint32Array | undefined {
  if (!isSound(row, CRC_BYTES) || row.length % 4 !== 0) return undefined;
  return Uint32Array.from({ length: row.length / 4 - 1 }, (_, i) => row.readUInt32LE(CRC_BYTES + 4 * i));
}

export function encodeVisit({ kind, bytes, waitUs, finishedAtUs, links, byRedirect, digest, warc }: Visit): Buffer {
  assert(digest.length < 256, () => `a digest of ${digest.length} characters`);
  const row = Buffer.allocUnsafe(VISIT_BYTES + 4 * links.length + digest.length);
  const flags = (warc ? 1 << 16 : 0) | (byRedirect === true ? 1 << 24 : 0);
  row.writeUInt32LE(outcomeKinds.indexOf(kind) | (digest.length << 8) | flags, CRC_BYTES);
  row.writeDoubleLE(bytes, 8);
  row.writeDoubleLE(waitUs, 16);
  row.writeDoubleLE(finishedAtUs, 24);
  row.writeDoubleLE(warc?.end ?? 0, 32);
  row.writeUInt32LE(warc?.file ?? 0, 40);
  let at = VISIT_BYTES;
  for (const link of links) at = row.writeUInt32LE(link, at);
  row.write(digest, at, 'latin1');
  return sealed(row);
}

export function decodeVisit(page: number, row: Buffer): Visit | undefined {
  if (!isSound(row, VISIT_BYTES)) return undefined;
  const kind = outcomeKinds[row[4]];
  const digestBytes = row[5];
  const linksBytes = row.length - VISIT_BYTES - digestBytes;
  if ((kind !== 'fetched' && kind !== 'notFound' && kind !== 'rejected') || linksBytes < 0 || linksBytes % 4 !== 0)
    return undefined;
  const links = new Uint32Array(linksBytes / 4);
  for (let i = 0; i < links.length; i++) links[i] = row.readUInt32LE(VISIT_BYTES + 4 * i);
  return {
    page,
    kind,
    bytes: row.readDoubleLE(8),
    waitUs: row.readDoubleLE(16),
    finishedAtUs: row.readDoubleLE(24),
    links,
    byRedirect: row[7] === 1,
    digest: row.toString('latin1', row.length - digestBytes),
    warc: row[6] === 1 ? { file: row.readUInt32LE(40), end: row.readDoubleLE(32) } : undefined,
  };
}

export function encodeRobots({ origin, status, fetchedAtMs, expiresAtMs, body }: RobotsNote): Buffer {
  const originBytes = Buffer.byteLength(origin);
  const row = Buffer.allocUnsafe(ROBOTS_BYTES + originBytes + body.length);
  row.writeUInt32LE(status, 4);
  row.writeDoubleLE(fetchedAtMs, 8);
  row.writeDoubleLE(expiresAtMs, 16);
  row.writeUInt32LE(originBytes, 24);
  row.write(origin, ROBOTS_BYTES);
  row.set(body, ROBOTS_BYTES + originBytes);
  return sealed(row);
}

export function decodeRobots(row: Buffer): RobotsNote | undefined {
  if (!isSound(row, ROBOTS_BYTES)) return undefined;
  const bodyAt = ROBOTS_BYTES + row.readUInt32LE(24);
  if (bodyAt > row.length) return undefined;
  return {
    origin: row.toString('utf8', ROBOTS_BYTES, bodyAt),
    status: row.readUInt32LE(4),
    fetchedAtMs: row.readDoubleLE(8),
    expiresAtMs: row.readDoubleLE(16),
    body: Uint8Array.from(row.subarray(bodyAt)),
  };
}

export function encodeRest({ host, failures, sinceMs, restMs }: HostRest): Buffer {
  const row = Buffer.allocUnsafe(REST_BYTES + Buffer.byteLength(host));
  row.writeUInt32LE(failures, 4);
  row.writeDoubleLE(sinceMs, 8);
  row.writeDoubleLE(restMs, 16);
  row.write(host, REST_BYTES);
  return sealed(row);
}

export function decodeRest(row: Buffer): HostRest | undefined {
  if (!isSound(row, REST_BYTES)) return undefined;
  return {
    host: row.toString('utf8', REST_BYTES),
    failures: row.readUInt32LE(4),
    sinceMs: row.readDoubleLE(8),
    restMs: row.readDoubleLE(16),
  };
}

export function encodeOutcome(outcome: StoredOutcome): Buffer {
  const { addressRest } = outcome;
  const row = Buffer.allocUnsafe(OUTCOME_BYTES + (addressRest === undefined ? 0 : 8 + addressRest.address.length));
  row.writeUInt32LE(outcome.processor, 4);
  row.writeUInt32LE(outcome.page, 8);
  const { kind, hostTrouble } = outcome;
  const trouble = hostTrouble === undefined ? 0 : hostTroubles.indexOf(hostTrouble) + 1;
  row.writeUInt32LE(outcomeKinds.indexOf(kind) | (trouble << 8), 12);
  row.writeDoubleLE(outcome.bytes, 16);
  row.writeDoubleLE(outcome.waitUs, 24);
  row.writeDoubleLE(outcome.startedAtUs, 32);
  row.writeDoubleLE(outcome.finishedAtUs, 40);
  if (addressRest !== undefined) {
    row.writeDoubleLE(addressRest.restUs, OUTCOME_BYTES);
    row.write(addressRest.address, OUTCOME_BYTES + 8, 'latin1');
  }
  return sealed(row);
}

export function decodeOutcome(row: Buffer): StoredOutcome | undefined {
  const hasAddress = row.length > OUTCOME_BYTES;
  if (!isSound(row, hasAddress ? OUTCOME_BYTES + 9 : OUTCOME_BYTES)) return undefined;
  const kind = outcomeKinds.at(row[12]);
  const hostTrouble = row[13] === 0 ? undefined : hostTroubles.at(row[13] - 1);
  if (kind === undefined || row[13] > hostTroubles.length) return undefined;
  return {
    processor: row.readUInt32LE(4), page: row.readUInt32LE(8), kind, hostTrouble, bytes: row.readDoubleLE(16),
    waitUs: row.readDoubleLE(24), startedAtUs: row.readDoubleLE(32), finishedAtUs: row.readDoubleLE(40),
    ...(hasAddress && {
      addressRest: { restUs: row.readDoubleLE(OUTCOME_BYTES), address: row.toString('latin1', OUTCOME_BYTES + 8) },
    }),
  };
}

export function encodeCheckpointRow({ barrierUs, state }: StoredCheckpoint): Buffer {
  const row = Buffer.allocUnsafe(CHECKPOINT_BYTES + state.length);
  row.writeDoubleLE(barrierUs, 4);
  row.set(state, CHECKPOINT_BYTES);
  return sealed(row);
}

export function decodeCheckpointRow(row: Buffer): Pick<StoredCheckpoint, 'barrierUs' | 'state'> | undefined {
  if (!isSound(row, CHECKPOINT_BYTES)) return undefined;
  return { barrierUs: row.readDoubleLE(4), state: row.subarray(CHECKPOINT_BYTES) };
}
