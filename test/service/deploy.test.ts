import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit.ts';
import { finished, newFolder, orbweaver, type Finished } from '../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../crawl/loopback.ts';
import { isFullSweep } from '../sweep.ts';

// Goal: what is shipped to run a crawl as a service does so. `.ci/image` builds the image, or takes its steps.

const root = fileURLToPath(new URL('../..', import.meta.url));
const deploy = join(root, 'src/views/service/deploy');
const unit = join(deploy, 'orbweaver@.service');
const installed = '/opt/orbweaver/node_modules/orbweaver/';

let web: Loopback;
let folder: string;
const site = graphWeb(syntheticWeb(150, 2), { latencyMs: 40 });
beforeAll(async () => {
  web = await loopback(site);
  folder = newFolder();
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

/** What systemd has to say about a unit. */
function verified(path: string): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
test.skipIf(!hasSystemd)('systemd-analyze verify has nothing to say (skipped where it is not installed)', () => {
  const units = readdirSync(deploy).filter((name) => name.endsWith('.service'));
  for (const name of units) expect(verified(join(deploy, name)), name).toEqual({ status: 0, text: '' });
  const damaged = join(folder, 'damaged@.service');
  writeFileSync(damaged, readFileSync(unit, 'utf8').replace('Restart=on-failure', 'Restart=sometimes'));
  expect(verified(damaged).text).toMatch(/Failed to parse service restart specifier/);
});

/** The value of a setting of the unit, its continued lines joined. */
function setting(name: string): string {
  const text = readFileSync(unit, 'utf8').replace(/\\\n\s*/g, '');
  return new RegExp(`^${name}=(.*)$`, 'm').exec(text)![1];
}

test.runIf(isFullSweep)('its command begins a crawl, and continues it after a kill and after SIGTERM', async () => {
  mkdirSync(join(folder, 'etc/orbweaver'), { recursive: true });
  const { stdout } = await orbweaver([
    'crawl', ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
    '--resolve', `*=127.0.0.1:${web.port}`, '--politeness-ms', '5', '--superstep-ms', '100', '--reader-threads', '0',
    '--max-pages', '100', '--print-config',
  ], folder);
  writeFileSync(join(folder, 'etc/orbweaver/news.yaml'), stdout);
  const [command, ...args] = setting('ExecStart').replaceAll('%E', join(folder, 'etc')).replaceAll('%S', folder)
    .replaceAll('%i', 'news').replaceAll(installed, root).split(' ');
  mkdirSync(join(folder, 'orbweaver/news'), { recursive: true });
  const session = async (signal?: NodeJS.Signals): Promise<Finished> => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = finished(child);
    if (signal !== undefined) {
      const before = web.log.length;
      while (web.log.length < before + 20) await sleep(10);
      child.kill(signal);
      await once(child, 'exit');
    }
    return end;
  };
  expect((await session('SIGKILL')).code).toBe(null);
  expect(existsSync(join(folder, 'orbweaver/news/crawl/run.json'))).toBe(false);
  const stopped = await session('SIGTERM');
  expect(stopped.code).toBe(Number(setting('SuccessExitStatus')));
  const { code, stderr } = await session();
  expect(code).toBe(0);
  expect(JSON.parse(stderr)).toMatchObject({ event: 'ended', pagesFetched: 100 });
  // Once more, as after a restart of the machine: nothing is left to do. Limits are read anew.
  const again = async (): Promise<Finished> => orbweaver(args.slice(2), folder);
  expect((await again()).code).toBe(0);
  writeFileSync(join(folder, 'etc/orbweaver/news.yaml'), stdout.replace('maxPages: 100', 'maxPages: 110'));
  expect(JSON.parse((await again()).stderr)).toMatchObject({ event: 'ended', pagesFetched: 110 });
});

test('it does not repeat what a person must see first', () => {
  expect(setting('RestartPreventExitStatus')).toBe(`${exitCodes.input} ${exitCodes.nothing}`);
  expect(setting('SuccessExitStatus')).toBe(String(exitCodes.interrupted));
});

test('the image names no registry, is not root, and starts what the unit starts', () => {
  const text = readFileSync(join(deploy, 'Dockerfile'), 'utf8');
  const values = (name: string): string[] => [...text.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, v]) => v);
  expect(values('FROM')).toEqual([expect.stringMatching(/^node:\d+[a-z-]*$/)]);
  expect(values('USER')).toEqual(['node']);
  const words = [...values('ENTRYPOINT'), ...values('CMD')].flatMap((json) => JSON.parse(json) as string[]);
  const flags = (list: readonly string[]): string[] => list.filter((word) => word.startsWith('--'));
  expect(flags(words)).toEqual(flags(setting('ExecStart').split(' ')));
  expect(words.filter((word) => word.startsWith(installed))).toEqual([`${installed}dist/bundle/main.js`]);
});
