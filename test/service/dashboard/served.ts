import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { runMaker } from '../../../src/cli/answers/run-maker.ts';
import { pagesOpener } from '../../../src/cli/answers/run-pages.ts';
import { DashboardServer } from '../../../src/views/service/index.ts';
import { mainFile } from '../../cli/command.ts';
import { askDashboard, type Answer } from './started.ts';

export interface Served {
  readonly url: string;
  readonly origin: string;
  readonly runs: string;
  /** With the token, as a program would; a body makes it a POST. */
  ask(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** A dashboard of the test file's own: with a runs folder, and doors that no one else sees. */
export function servedDashboard(folder: string): Served {
  let server: DashboardServer;
  const runs = join(folder, 'runs');
  const before = process.env['XDG_RUNTIME_DIR'];
  beforeAll(async () => {
    process.env['XDG_RUNTIME_DIR'] = folder;
    server = await DashboardServer.listen({
      folders: [runs], maker: runMaker(runs), openPages: pagesOpener(), program: [process.execPath, mainFile],
    });
  });
  afterAll(async () => {
    await server.close();
    if (before === undefined) delete process.env['XDG_RUNTIME_DIR'];
    else process.env['XDG_RUNTIME_DIR'] = before;
  });
  return {
    runs,
    get url() { return server.url; },
    get origin() { return new URL(server.url).origin; },
    ask: (path, body, headers) => askDashboard(server.url, path, body, headers),
  };
}
