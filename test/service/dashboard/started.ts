import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../dist/bundle/main.js', import.meta.url));

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** The real command, once it serves. `folder`: where it works. @throws Error if it ends before. */
export async function startedDashboard(
  folder: string, ...words: readonly string[]
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [main, 'dashboard', ...words, '--json', '--port', '0'], {
    cwd: folder, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject).once('exit', () => { reject(new Error('the dashboard ended')); });
    child.stdout.once('data', (line: Buffer) => { resolve((JSON.parse(String(line)) as { url: string }).url); });
  });
  return { url, child };
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
