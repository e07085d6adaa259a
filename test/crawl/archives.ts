import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARCParser } from 'warcio';
import { base32 } from '../../src/core/live/archive/warc-records.ts';

/**
 * What warcio reads of archives: records, those that it cannot read or whose digest is wrong, and pages fetched without
 * a response.
 */
export interface ReadArchives {
  readonly records: number;
  readonly faults: readonly string[];
  readonly missing: readonly string[];
}

/** Reads the archives in a folder. @param pages URLs of pages that must have one response each. */
export async function readArchives(folder: string, pages: ReadonlySet<string>): Promise<ReadArchives> {
  const faults: string[] = [];
  const responses = new Map<string, number>();
  let records = 0;
  for (const name of readdirSync(folder).sort()) {
    for await (const record of WARCParser.iterRecords([new Uint8Array(readFileSync(join(folder, name)))], {
      parseHttp: false,
    })) {
      records++;
      const { warcType } = record;
      const block = Buffer.from(await record.readFully(false));
      const digest = `sha1:${base32(createHash('sha1').update(block).digest())}`;
      if (record.warcHeader('WARC-Block-Digest') !== digest) faults.push(`${name}: record ${records}`);
      const uri = String(record.warcTargetURI);
      if (warcType === 'response' && block.toString('latin1', 0, 13) === 'HTTP/1.1 200 ')
        responses.set(uri, (responses.get(uri) ?? 0) + 1);
    }
  }
  for (const url of pages) {
    const count = responses.get(url) ?? 0;
    if (count > 1) faults.push(`${url} is in the archives ${count} times`);
  }
  return { records, faults, missing: [...pages].filter((url) => !responses.has(url)) };
}
