import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { runMaker } from '../../../src/cli/answers/run-maker.ts';
import { DashboardServer } from '../../../src/service/index.ts';
import { mainFile } from '../../cli/command.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

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
      folders: [runs], maker: runMaker(runs), program: [process.execPath, mainFile],
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

/** Asks a dashboard at the URL that it printed, with the token in it. */
export async function askDashboard(
  url: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { origin, searchParams } = new URL(url);
  const response = await fetch(`${origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST', redirect: 'manual',
    headers: {
      Authorization: `Bearer ${searchParams.get('token')}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) as unknown : text };
}
