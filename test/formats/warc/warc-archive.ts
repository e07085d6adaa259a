import { gzipSync } from 'node:zlib';

/** A WARC record; Content-Length is right unless `headers` say something else. */
export function record(type: string, headers: Readonly<Record<string, string>>, block: string | Uint8Array): Buffer {
  const bytes = Buffer.from(block);
  const all = { 'WARC-Type': type, 'Content-Length': String(bytes.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`WARC/1.0\r\n${head}\r\n`), bytes, Buffer.from('\r\n\r\n')]);
}

/** A record of an HTTP response, 200 and HTML unless said otherwise. */
export function response(
  url: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, status = 200,
): Buffer {
  const all = { 'Content-Type': 'text/html', ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return record(
    'response',
    { 'WARC-Target-URI': url },
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head}\r\n`), Buffer.from(body)]),
  );
}

/** Gzip with a member a record, as archives are. */
export function gzipped(records: readonly Buffer[]): Buffer {
  return Buffer.concat(records.map((bytes) => gzipSync(bytes)));
}

/** Links of HTML, in order. */
export function linking(...urls: string[]): string {
  return `<!doctype html><title>a page</title>${urls.map((url) => `<a href="${url}">x</a>`).join('\n')}`;
}

/** The warcinfo of a WAT, of the software that it names. */
export function watInfo(field: 'software' | 'Software-Info', software: string): Buffer {
  return record(
    'warcinfo',
    { 'Content-Type': 'application/warc-fields' },
    `${field}: ${software}\r\nformat: WARC File Format 1.0\r\n`,
  );
}

/** A record of WAT about a response. */
export function wat(
  url: string, links: readonly object[],
  more: { base?: string | undefined; metas?: object[] | undefined; status?: string } = {},
): Buffer {
  const envelope = {
    Envelope: {
      'WARC-Header-Metadata': { 'WARC-Type': 'response', 'WARC-Target-URI': url },
      'Payload-Metadata': {
        'HTTP-Response-Metadata': {
          'Response-Message': { Status: more.status ?? '200' },
          Headers: { 'Content-Type': 'text/html' },
          'Entity-Length': '1234',
          'HTML-Metadata': { Head: { Base: more.base, Metas: more.metas }, Links: links },
        },
      },
    },
  };
  return record('metadata', { 'WARC-Target-URI': url, 'Content-Type': 'application/json' }, JSON.stringify(envelope));
}
