import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, mainFile, newFolder, orbweaver } from '../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from './loopback.ts';

// Goal: a crawl that was killed before its first commit is begun again in the same folder, by the same command. Method:
// the process is stopped there by a module loaded before it, which holds lmdb's first commit back, and killed.

const site = graphWeb(syntheticWeb(20, 1));
let web: Loopback;
let folder: string;
let flags: string[];
beforeAll(async () => {
  web = await loopback(site);
  folder = newFolder();
  flags = [
    'crawl',
    ...urlsOf(site, site.seedPages),
    '--contact',
    'test@localhost',
    '--allow-network',
    '127.0.0.0/8',
    '--resolve',
    `*=127.0.0.1:${web.port}`,
    '--politeness-ms',
    '1',
    '--reader-threads',
    '0',
    '--superstep-ms',
    '50',
    '--out',
    'crawled',
  ];
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

/** Before lmdb is opened, and between that and its first commit. */
const moments: Record<string, string> = {
  'before lmdb opens': `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
if (String(path).endsWith('lock.mdb')) { console.log('here'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }
return openSync(path, ...rest);
};
syncBuiltinESMExports();`,
  'before the first commit': `import { Buffer } from 'node:buffer';
const { from } = Buffer;
Buffer.from = (value, ...rest) => {
if (String(value).startsWith('orbweaver crawl ')) { console.log('here'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }
return from(value, ...rest);
};`,
};

test.each(Object.entries(moments))('killed %s', async (_, module) => {
  rmSync(join(folder, 'crawled'), { recursive: true, force: true });
  const stopping = `data:text/javascript,${encodeURIComponent(module)}`;
  const child = spawn(process.execPath, ['--import', stopping, mainFile, ...flags], {
    cwd: folder, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = finished(child);
  await once(child.stdout, 'data');
  expect(readdirSync(join(folder, 'crawled'))).toEqual(['store']);

  // As long as it lives the folder is its own.
  expect(await orbweaver(flags, folder)).toMatchObject({
    code: 2,
    stderr: `crawled/store: is being written by process ${child.pid}; wait for it\n`,
  });
  child.kill('SIGKILL');
  await end;

  const resumed = await orbweaver(['crawl', '--resume', 'crawled'], folder);
  expect(resumed).toMatchObject({
    code: 2,
    stderr:
      'crawled/store: contains no stored crawl: one ended there before its first commit; start it again (--out)\n',
  });
  expect(await orbweaver(flags, folder)).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder, 'crawled', 'run.json'))).toBe(true);
  // From then on it is one that is gone on with.
  expect((await orbweaver(flags, folder)).stderr).toBe(
    'crawled: already contains a crawl; continue it (--resume), or name a new folder\n',
  );
  expect(await orbweaver(['crawl', '--resume', 'crawled'], folder)).toMatchObject({ code: 0 });
});
