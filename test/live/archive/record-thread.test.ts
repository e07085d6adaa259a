import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { RecordThread } from '../../../src/core/live/archive/record-thread.ts';
import { compressedRecords } from '../../../src/core/live/archive/warc-records.ts';
import { WarcWriter } from '../../../src/core/live/archive/warc-writer.ts';
import type { Answer } from '../../../src/core/live/fetch/answer.ts';
import { sharedBytes } from '../../../src/core/live/fetch/shared-body.ts';
import { builtScripts } from '../../built-scripts.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: records are the same wherever they are made, and a thread that dies costs none.

const { folder } = temporaryFolder();
const scriptOf = await builtScripts(folder, new URL('./dying-recorder.ts', import.meta.url));
const atMs = Date.UTC(2026, 10, 23);

let thread: RecordThread | undefined;
afterEach(() => thread?.close());

function answer(path: string, body: Buffer = Buffer.from(`body of ${path}`)): Answer {
  return {
    url: `http://a.example${path}`, status: 200, statusText: 'OK', rawHeaders: ['Content-Type', 'text/html'], body,
    address: '192.0.2.7', requestHead: `GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`,
  };
}

/** What is in records, without the ids that are drawn for each. */
const textOf = (records: Uint8Array): string =>
  gunzipSync(records).toString('latin1').replace(/urn:uuid:[0-9a-f-]{36}/g, 'urn:uuid:');

const made = (one: RecordThread, answers: readonly Answer[]): Promise<string[]> =>
  Promise.all(answers.map(async (each) => textOf(await one.records(each, atMs))));
const madeHere = (answers: readonly Answer[]): string[] =>
  answers.map((each) => textOf(compressedRecords(each, atMs)));

describe('records', () => {
  test('are those made here, whatever memory the bodies are in, and leave them whole', async () => {
    const answers = Array.from({ length: 40 }, (_, i) => {
      const body = i % 2 === 0 ? sharedBytes(1000 * i) : Buffer.alloc(1000 * i);
      return answer(`/${i}`, body.fill(`${i} `));
    });
    answers.push(answer('/large', sharedBytes(3 << 20)), answer('/empty', Buffer.alloc(0)));
    const before = answers.map(({ body }) => body.toString('latin1'));
    thread = new RecordThread();
    expect(await made(thread, answers)).toEqual(madeHere(answers));
    expect(answers.map(({ body }) => body.toString('latin1'))).toEqual(before);
  });

  test.each(['exit', 'throw'])('a thread that ends by %s loses none, and those that follow are made here', async (way) => {
    thread = new RecordThread(scriptOf('dying-recorder'));
    const answers = [...Array(20).keys()].map((i) => answer(i === 11 ? `/${way}` : `/${i}`));
    expect(await made(thread, answers)).toEqual(madeHere(answers));
    const later = [answer('/later'), answer(`/${way}`)];
    expect(await made(thread, later)).toEqual(madeHere(later));
  });

  test('a thread that does not start loses none', async () => {
    thread = new RecordThread(scriptOf('no-such-worker'));
    const answers = [answer('/0'), answer('/1')];
    expect(await made(thread, answers)).toEqual(madeHere(answers));
  });

  test('once closed, those not made are rejected', async () => {
    thread = new RecordThread();
    const ends = Promise.allSettled([thread.records(answer('/0'), atMs), thread.records(answer('/1'), atMs)]);
    await thread.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(thread.records(answer('/2'), atMs)).rejects.toThrow('closed');
  });
});

describe('an archive', () => {
  test('whose thread dies has each record once, in the order in which they were stored', async () => {
    const path = join(folder, 'dying');
    const dying = new RecordThread(scriptOf('dying-recorder'));
    const writer = await WarcWriter.open(path, { warcFileBytes: 2 ** 30 }, {}, undefined, dying);
    const names = [...Array(30).keys()].map((i) => (i === 17 ? '/exit' : `/${i}`));
    const stored: { name: string; end: number }[] = [];
    await Promise.all(names.map(async (name) => {
      const { end } = await writer.write(answer(name), atMs);
      stored.push({ name, end });
    }));
    await writer.close();
    const text = gunzipSync(readFileSync(join(path, 'crawl-00000.warc.gz'))).toString('latin1');
    const inFile = [...text.matchAll(/body of (\S+)/g)].map(([, name]) => name);
    expect(inFile).toEqual(stored.map(({ name }) => name));
    expect([...inFile].sort()).toEqual([...names].sort());
    expect(stored.map(({ end }) => end)).toEqual(stored.map(({ end }) => end).sort((a, b) => a - b));
  });

  test('has nothing of records that were begun and not stored', async () => {
    const path = join(folder, 'begun');
    const writer = await WarcWriter.open(path, { warcFileBytes: 2 ** 30 }, {});
    writer.records(answer('/discarded'), atMs);
    await writer.write(answer('/stored'), atMs);
    writer.records(answer('/never'), atMs);
    await writer.close();
    const text = gunzipSync(readFileSync(join(path, 'crawl-00000.warc.gz'))).toString('latin1');
    expect([...text.matchAll(/body of (\S+)/g)].map(([, name]) => name)).toEqual(['/stored']);
  });
});
