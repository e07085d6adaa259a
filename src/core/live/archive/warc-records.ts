import { hash, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { gzipSync } from 'node:zlib';
import { header, type RawHeaders } from '../../../base/web/index.ts';
import type { Answer } from '../fetch/answer.ts';

/** Fields by name; what a crawl states about itself at the head of each file: software, operator, ... */
export type WarcFacts = Readonly<Record<string, string | undefined>>;

/**
 * Takes a third of the time of zlib's default level, for files that are a sixth larger (200 pages of documentation).
 */
const GZIP_LEVEL = 3;

/** An answer; in a thread its body is no Buffer. */
export type ArchivedAnswer = Omit<Answer, 'body'> & { readonly body: Uint8Array };

const NO_BYTES = Buffer.alloc(0);
const recordEnd = Buffer.from('\r\n\r\n');

const httpBlock = (kind: 'request' | 'response'): string => `application/http; msgtype=${kind}`;

/** The record that a file begins with (WARC 1.1, 6.2), compressed. */
export function warcinfoRecord(file: string, facts: WarcFacts, atMs: number): Buffer {
  const fields: WarcFacts = {
    format: 'WARC File Format 1.1',
    conformsTo: 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    ...facts,
  };
  const headers = { 'WARC-Filename': file, 'Content-Type': 'application/warc-fields' };
  return record('warcinfo', recordId(), atMs, headers, headerLines(fields));
}

/**
 * The request and the response of an answer (WARC 1.1, 6.5 and 6.3), one after the other, each compressed by itself.
 * Cost   for 28 KB of HTML some 200 us, three quarters of them for compression.
 */
export function compressedRecords(answer: ArchivedAnswer, atMs: number): Buffer {
  const [requestId, responseId] = [recordId(), recordId()];
  const address = answer.address.replace(/%.*$/, ''); // Without the zone of a link-local address.
  const both = {
    'WARC-Target-URI': targetUri(answer.url), 'WARC-IP-Address': isIP(address) === 0 ? undefined : address,
  };
  const { head, isCut } = responseHead(answer);
  return Buffer.concat([
    record(
      'request', requestId, atMs, { ...both, 'WARC-Concurrent-To': responseId, 'Content-Type': httpBlock('request') },
      bytesOnly(answer.requestHead), NO_BYTES,
    ),
    record('response', responseId, atMs, {
      ...both, 'WARC-Concurrent-To': requestId, 'WARC-Truncated': isCut ? 'unspecified' : undefined,
      'Content-Type': httpBlock('response'),
    }, head, answer.body),
  ]);
}

/** A record whose block is `head` and, if it has one, the payload. */
function record(
  type: string, id: string, atMs: number, more: WarcFacts, head: string, payload?: Uint8Array,
): Buffer {
  const block = Buffer.concat([Buffer.from(head, 'latin1'), payload ?? NO_BYTES]);
  const lines = headerLines({
    'WARC-Type': type,
    'WARC-Record-ID': id,
    'WARC-Date': new Date(atMs).toISOString(),
    ...more,
    'WARC-Block-Digest': sha1(block),
    'WARC-Payload-Digest': payload && sha1(payload),
    'Content-Length': String(block.length),
  });
  const bytes = Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines}\r\n`, 'latin1'), block, recordEnd]);
  return gzipSync(bytes, { level: GZIP_LEVEL });
}

function headerLines(fields: WarcFacts): string {
  return Object.entries(fields)
    .map(([name, value]) => (value === undefined ? '' : `${name}: ${oneLine(value)}\r\n`))
    .join('');
}

function recordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

function sha1(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base 32 of RFC 4648, for lengths that need no padding: multiples of five bytes. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let buffer = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(buffer >> (bits - 5)) & 31];
  }
  return text;
}

/** Begins the names of headers that do not describe the stored body. */
const OWN_PREFIX = 'X-Crawler-';
const renamedHeader = new RegExp(`^${OWN_PREFIX}(?=(transfer-encoding|content-length)$)`, 'i');

/** The headers of an answer as they were received, from its record. */
export function receivedHeaders(stored: RawHeaders): RawHeaders {
  const isCut = header(stored, `${OWN_PREFIX}Content-Length`.toLowerCase()) !== undefined &&
    stored.at(-2)?.toLowerCase() === 'content-length';
  return stored.slice(0, isCut ? -2 : undefined)
    .map((text, i) => i % 2 === 0 ? text.replace(renamedHeader, '') : text);
}

/**
 * Status line and headers as received, except those that do not describe the stored body: a transfer coding, which has
 * been removed, and a Content-Length that differs. These are renamed to names of our own, which readers ignore.
 */
function responseHead({ status, statusText, rawHeaders, body }: ArchivedAnswer): { head: string; isCut: boolean } {
  let head = `HTTP/1.1 ${status} ${oneLine(statusText)}\r\n`;
  let isCut = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    let name = oneLine(rawHeaders[i]);
    const value = oneLine(rawHeaders[i + 1]);
    const lower = name.trim().toLowerCase();
    if (lower === 'transfer-encoding') name = `${OWN_PREFIX}Transfer-Encoding`;
    else if (lower === 'content-length' && value.trim() !== String(body.length)) {
      name = `${OWN_PREFIX}Content-Length`;
      isCut = true;
    }
    head += `${name}: ${value}\r\n`;
  }
  if (isCut) head += `Content-Length: ${body.length}\r\n`;
  return { head: `${head}\r\n`, isCut };
}

/** Text that cannot end its line early: CR, LF and NUL become blanks (RFC 9110, 5.5). */
function oneLine(text: string): string {
  return bytesOnly(text).replace(/[\r\n\0]/g, ' ');
}

/** Text that latin1 preserves: a wider character could otherwise be truncated to a line end. */
function bytesOnly(text: string): string {
  return text.replace(/[^\0-\xff]/g, '?');
}

/** A URL, unchanged unless it could break its line. */
function targetUri(url: string): string {
  return Buffer.from(url)
    .toString('latin1')
    .replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
