import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectFrontier, FrontierServer } from '../../../../src/views/service/frontier/index.ts';
import { mainFile } from '../../../cli/command.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { all, discovered, each } from '../at.ts';

// Goal: on a full disk nothing is acknowledged, and what was acknowledged before is there when there is room again.
// Method: a process that may write no file beyond some size.

const { folder } = temporaryFolder();

const title = 'a full disk: FAIL from then on, nothing handed out, and everything acknowledged is there afterwards';

// Each URL is synchronised, which a busy disk makes slow.
test(title, { timeout: 240_000 }, async () => {
  const store = join(folder, 'store');
  const child = spawn('bash', [
    '-c', 'ulimit -S -f 2500; exec "$@"', 'bash', process.execPath, mainFile, 'serve', 'frontier', '--store', store,
    '--port', '0', '--json',
  ], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => { child.kill('SIGKILL'); });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  const { calls, close } = connectFrontier({ address: `127.0.0.1:${port}` });
  const acknowledged: string[] = [];
  let failed = 0;
  for (let i = 0; failed === 0; i++) {
    const urls = Array.from({ length: 10 }, (_, j) => `http://h${j}.example/${i}`);
    for await (const { ID, status } of calls.putURLs(each(urls.map((url) => discovered({ url }))))) {
      if (status === 0) acknowledged.push(ID);
      else failed++;
      expect(status).not.toBe(1);
    }
    expect(i).toBeLessThan(10_000);
  }
  const [again] = await all(calls.putURLs(each([discovered({ url: 'http://again.example/' })])));
  expect(again.status).toBe(2);
  const batch = { ID: 'b', items: [{ url: 'http://again.example/' }, { url: 'http://again.example/2' }] };
  expect(await all(calls.putDiscovered(each([batch])))).toEqual([{ ID: 'b', statuses: [2, 2] }]);
  await expect(all(calls.getURLs({}))).rejects.toThrow(/UNAVAILABLE: .*data\.mdb: could not be written/);
  await expect(calls.setDelay({ delayRequestable: 3 })).rejects.toThrow('UNAVAILABLE');
  close();
  child.kill('SIGTERM');
  await once(child, 'close');
  const server = await FrontierServer.listen({ store });
  onTestFinished(() => server.close());
  const { calls: later, close: closeLater } = connectFrontier({ address: `127.0.0.1:${server.port}` });
  const listed = new Set((await all(later.listURLs({ size: 1_000_000 }))).map(({ item }) => {
    return item?.$case === 'known' ? item.known.info!.url : '';
  }));
  expect(acknowledged.length).toBeGreaterThan(100);
  for (const url of acknowledged) expect(listed.has(url), url).toBe(true);
  expect(listed.has('http://again.example/')).toBe(false);
  expect(await all(later.getURLs({ maxUrlsPerQueue: 1 }))).toHaveLength(10);
  closeLater();
});
