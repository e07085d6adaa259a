import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orbweaver, orbweaverProcess, type Finished } from '../../cli/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { NodeProcess } from './nodes.ts';

// Goal: nodes share a stored graph by the file beside it: they make it, or `--prepare` does, and they never begin with
// a wrong one.

const { folder } = temporaryFolder();
const web = join(folder, 'web.owg');
const file = `${web}.prepared`;
const args = [web, '--processors', '4', '--max-pages', '200'];
beforeAll(async () => {
  const drawn = ['copying', '--pages', '400', '--arcs', '3000', '--out', web];
  expect(await orbweaver(['generate', ...drawn], folder)).toMatchObject({ code: 0 });
});
beforeEach(() => { rmSync(file, { force: true }); });

const prepare = (...more: string[]): Promise<Finished> => orbweaver(['simulate', web, '--prepare', ...more], folder);

test('--prepare makes the file, and says what is in it', async () => {
  const { code, stdout, stderr } = await prepare('--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    pages: 400, arcs: 3000, seeds: { origin: 'largest out-degree' }, file, bytes: readFileSync(file).length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(await prepare('--seed-page', '7')).toMatchObject({
    code: 0, stdout: expect.stringContaining(`Stored in ${file} (0.0 MB)`) as string,
  });
  expect(await prepare('--seed-page', '400')).toMatchObject({ code: 2 });
  expect(await prepare('--out', 'runs')).toMatchObject({
    code: 2, stderr: expect.stringContaining('--out and --prepare cannot be combined') as string,
  });
  expect(await orbweaver(['simulate', 'star', '--prepare'], folder)).toMatchObject({
    code: 2, stderr: expect.stringContaining('--prepare: star is not a stored graph') as string,
  });
});

describe.skipIf(!redisIsHere)(`with nodes${redisIsMissing}`, () => {
  /** All nodes of a run, each in a process of its own. */
  async function run(nodes: number, more: readonly string[] = []): Promise<Finished[]> {
    await using server = await RedisServer.start();
    const started = Array.from({ length: nodes }, (_, node) => new NodeProcess([
      ...args, ...more, '--json', '--cluster', server.url, '--node', String(node), '--nodes', String(nodes),
    ]));
    // Awaited here: the server ends with this function.
    return await Promise.all(started.map(({ ended }) => ended));
  }

  const hashOf = ({ code, stdout, stderr }: Finished): string => {
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { replayHash: string }).replayHash;
  };

  test('they make it if it is not there, use it if it is, and the replay hash is that of one process', async () => {
    const alone = hashOf(await orbweaverProcess(['simulate', ...args, '--json'], folder));
    const [first] = await run(1);
    expect(first.stderr).toContain(`${file} is not there: this node opens the whole graph once, to make it`);
    expect(hashOf(first)).toBe(alone);
    const made = readFileSync(file);
    for (const node of await run(2)) {
      expect(node.stderr).not.toContain(file);
      expect(hashOf(node)).toBe(alone);
    }
    expect(readFileSync(file).equals(made)).toBe(true);
    rmSync(file);
    for (const node of await run(3)) expect(hashOf(node)).toBe(alone);
    expect(readFileSync(file).equals(made)).toBe(true);
  }, 60_000);

  test('what needs all links opens the whole graph, and says so', async () => {
    const [first, second] = await run(2, ['--verify', '--statistics', 'auto']);
    expect(hashOf(first)).toBe(hashOf(second));
    const why = '--statistics needs the links of all pages: this node has the whole graph in memory';
    expect(first.stderr).toContain(why);
    expect(existsSync(file)).toBe(false);
  }, 60_000);

  test('a file that is damaged, or for other seed pages, ends a node with code 2, and stays as it is', async () => {
    expect(await prepare()).toMatchObject({ code: 0 });
    const good = readFileSync(file);
    for (const bad of [good.subarray(0, -1), Buffer.from('text'), Buffer.alloc(0)]) {
      writeFileSync(file, bad);
      const [{ code, stderr }] = await run(1);
      expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
        code: 2, lines: [expect.stringContaining(`${file}: is damaged: `)],
      });
      expect(readFileSync(file).equals(bad)).toBe(true);
    }
    writeFileSync(file, good);
    expect(await run(1, ['--seed-page', '7'])).toMatchObject([{
      code: 2, stderr: expect.stringContaining(
        `${file}: is for runs that begin at the seed pages of the graph, not at page 7; make it for these: `,
      ) as string,
    }]);
  }, 60_000);
});
