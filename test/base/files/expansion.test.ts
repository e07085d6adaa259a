import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../../src/base/files/byte-source.ts';
import { isBomb } from '../../../src/base/files/expansion.ts';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import type { OpenOptions } from '../../../src/graphs/formats/index.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';

const { file } = temporaryFolder();

const comments = gzipSync(Buffer.alloc(1 << 20, `# ${' '.repeat(1021)}\n`));
/** 66 MiB of comments behind a first line, in some 70 KiB: 66 members of gzip. */
function bomb(name: string, firstLine: string): string {
  return file(name, Buffer.concat([gzipSync(firstLine), ...Array<Buffer>(66).fill(comments)]));
}

describe('gzip data that grow beyond reason', () => {
  test('are what made 64 MiB, and more than so many times what it took', () => {
    expect(isBomb(1, 1 << 26)).toBe(false);
    expect(isBomb(1, (1 << 26) + 1)).toBe(true);
    expect(isBomb(1e6, 250e6)).toBe(false);
    expect(isBomb(1e6, 251e6)).toBe(true);
    expect(isBomb(1e6, 251e6, 300)).toBe(false);
  });

  test('are refused in one message, by whatever reads text, unless they are allowed', async () => {
    const message =
      /: its gzip data grow more than 250 times: \d+ bytes became 6\d{7}\. Is it a gzip bomb\? --expansion-limit raises what is allowed$/;
    const edges = bomb('edges.txt.gz', '0 1\n');
    expect(await inputErrorOf(openGraph(edges))).toMatch(message);
    const raised: OpenOptions = { expansionLimit: 1100 };
    expect((await openGraph(edges, raised)).arcs).toBe(1);
    expect(await inputErrorOf(openGraph(bomb('names.tsv.gz', 'a\tb\n')))).toMatch(message);
  });

  test('cost no more memory than a few chunks', async () => {
    const path = bomb('edges.txt.gz', '0 1\n');
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of bytesOf(path))
        most = Math.max(most, process.memoryUsage().arrayBuffers - before + 0 * chunk.length);
    };
    expect(await inputErrorOf(read())).toMatch(/grow more than 250 times/);
    expect(most).toBeLessThan(48 << 20);
  });
});
