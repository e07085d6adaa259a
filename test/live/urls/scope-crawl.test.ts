import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../../src/machines/crawl/index.ts';
import { loopback } from '../../crawl/loopback.ts';
import { linking, WrittenSite } from '../../crawl/written-site.ts';
import { liveOf } from '../../../src/cli/flags/live/live-flags.ts';

// Goal: a crawl stays within its scope, in every session, and knows pages without the parameters that are dropped.
// Method: what the server was asked for. test/live/urls/depth.test.ts has drawn webs with extra hops.

const site = new WrittenSite((url) => {
  if (url === 'a.test/') return linking('/in?utm_source=x', '/in?utm_source=y', 'http://b.test/', '/needs?sid=1&id=2');
  if (url === 'a.test/in') return linking('http://b.test/deep');
  if (url === 'a.test/needs?id=2') return { status: 302, headers: ['Location', '/needs?id=2&sid=7'] };
  if (url === 'b.test/') return linking('http://c.test/', '/more');
  return linking();
});
const asked = (log: readonly { host: string; path: string }[]): string[] =>
  log.filter(({ path }) => path !== '/robots.txt').map(({ host, path }) => host + path).sort();

test('scope and dropped parameters hold in every session, and are recorded', async () => {
  const served = await loopback(site);
  try {
    const folder = served.folder();
    const live = {
      ...served.live, warc: false, scope: [{ host: 'a.test', extraHops: 1 }], dropQuery: ['utm_*', 'sid'],
    };
    const experiment = { politenessMs: 0, maxPages: 2 };
    await crawlLive(folder, { experiment, live, seeds: ['http://a.test/?utm_x=1'] });
    await resumeCrawl(folder, { maxPages: 1000 });
    expect(asked(served.log)).toEqual(['a.test/', 'a.test/in', 'a.test/needs?id=2', 'b.test/', 'b.test/deep']);
    const log = readFileSync(join(folder, 'crawl.log'), 'utf8');
    expect(log).toMatch(/needs\?id=2 .*redirect%20loop:%20to%20itself/);
    const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as { experiment: { live: object } };
    expect(run.experiment.live).toMatchObject({ scope: live.scope, dropQuery: live.dropQuery });
  } finally {
    await served.close();
  }
});

test('a seed out of scope is refused, and a redirect out of it is named', async () => {
  const leaves = new WrittenSite((url) => (
    url === 'a.test/' ? { status: 302, headers: ['Location', 'http://b.test/'] } : undefined
  ));
  const served = await loopback(leaves);
  try {
    for (const extraHops of [0, 1]) {
      const scope = [{ host: 'a.test', extraHops: 0 }, { host: 'z.test', extraHops }];
      const live = { ...served.live, warc: false, scope };
      await expect(crawlLive(served.folder(), { experiment: {}, live, seeds: ['http://b.test/'] }))
        .rejects.toThrow(/\(scope\)/);
      const folder = served.folder();
      await crawlLive(folder, { experiment: { politenessMs: 0 }, live, seeds: ['http://a.test/'] });
      expect(readFileSync(join(folder, 'crawl.log'), 'utf8')).toContain('out%20of%20scope:%20http://b.test/');
    }
    expect(asked(served.log)).toEqual(['a.test/', 'a.test/']);
  } finally {
    await served.close();
  }
});

test('the flag and the settings file say the same, and a bad file is named with its place', async () => {
  const served = await loopback(site);
  try {
    const path = join(served.folder(), '..', 'scope.yaml');
    writeFileSync(path, 'scope:\n- host: a.test\n  extraHops: 2\n- regex: "^http://b"\n');
    const contact = 'me@a.example';
    const scope = [{ host: 'a.test', extraHops: 2 }, { regex: '^http://b' }];
    expect(await liveOf({ contact, scope: path, dropQuery: ['a,b*', 'c'] }))
      .toEqual(await liveOf({ contact }, { scope, dropQuery: ['a', 'b*', 'c'] }));
    writeFileSync(path, 'scope:\n- host: a.test\n- regex: "("\n');
    await expect(liveOf({ contact, scope: path })).rejects.toThrow(`${path}:3:10: scope.1.regex: `);
  } finally {
    await served.close();
  }
});
