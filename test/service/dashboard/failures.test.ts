import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runMaker } from '../../../src/cli/answers/run-maker.ts';
import { pagesOpener } from '../../../src/cli/answers/run-pages.ts';
import { DashboardServer } from '../../../src/views/service/index.ts';
import type { ListedRun, NewRun, RunView } from '../../../src/views/service/dashboard/api.ts';
import { openRuns } from '../../../src/views/watch/index.ts';
import { mainFile } from '../../cli/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { servedDashboard } from './served.ts';
import { askDashboard } from './started.ts';

// Goal: a run that fails says why, in one message, and by which command it ran.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
const patient = { timeout: 30_000 };
const long: NewRun = {
  kind: 'simulation', graph: 'docs-web', settings: { processors: 2, superstepLimit: 1, statistics: 'off' },
};

async function begin(url: string): Promise<string> {
  const { status, body } = await askDashboard(url, '/api/runs', long);
  expect(status).toBe(201);
  return (body as { id: string }).id;
}

/** A run, once it is listed with such a problem. */
async function failed(url: string, id: string, expected: RegExp): Promise<ListedRun> {
  const listed = async (): Promise<ListedRun | undefined> =>
    ((await askDashboard(url, '/api/runs')).body as { runs: ListedRun[] }).runs.find((one) => one.id === id);
  await expect.poll(async () => (await listed())?.problem ?? '', patient).toMatch(expected);
  const run = (await listed())!;
  const { body } = await askDashboard(url, `/api/runs/${id}`);
  expect((body as RunView).listed).toEqual(run);
  return run;
}

test('a run that is killed says so', async () => {
  const id = await begin(served.url);
  const pid = (await openRuns())[0].card.pid;
  process.kill(pid, 'SIGKILL');
  const { command } = await failed(
    served.url, id, /^SIGKILL ended the run(; its process ended before the record was complete; .*)?$/,
  );
  expect(command).toMatch(/^orbweaver simulate docs-web --processors 2 .* --watch$/);
});

describe('where no file may be larger than 64 kB', () => {
  let server: DashboardServer;
  const runs = join(folder, 'small');
  beforeAll(async () => {
    server = await DashboardServer.listen({
      folders: [runs], maker: runMaker(runs), openPages: pagesOpener(),
      program: ['bash', '-c', 'trap "" XFSZ; ulimit -f 64; exec "$@"', 'bash', process.execPath, mainFile],
    });
  });
  afterAll(() => server.close());

  test('a run fails for want of room, with one line that names the file', async () => {
    const { problem, command, folder: at } = await failed(
      server.url, await begin(server.url), /^\S+: could not be written: \w+: [^\n]+$/,
    );
    expect(problem).toContain(at!);
    expect(command).toMatch(/^orbweaver simulate docs-web /);
  });
});
