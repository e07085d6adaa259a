import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { DashboardServer } from '../../../src/views/service/index.ts';
import { runMaker } from '../../../src/cli/answers/run-maker.ts';
import { pagesOpener } from '../../../src/cli/answers/run-pages.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { servedDashboard } from './served.ts';

// Goal: no one but the user who opened the URL gets anything, whatever page or process asks.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);

/** Any header, which fetch does not allow. */
function raw(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<{
  status: number; headers: NodeJS.Dict<string | string[]>; text: string;
}> {
  const { hostname, port } = new URL(served.origin);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => { text += piece; });
      response.on('end', () => { resolve({ status: response.statusCode ?? 0, headers: response.headers, text }); });
    }).on('error', reject).end();
  });
}

const token = (): string => new URL(served.url).searchParams.get('token') ?? '';

describe('who gets in', () => {
  test.each([
    '/', '/app.js', '/api/runs', '/api/settings', '/api/events', '/api/openapi.json', '/nothing', '/?token=',
    '/?token=wrong',
  ])(
    '%s without the token is refused', async (path) => {
      const { status, text } = await raw(path, {});
      expect(status).toBe(401);
      expect(JSON.parse(text)).toEqual({ error: expect.stringContaining('contains a token') as string });
    });

  test('the opened URL becomes a cookie, which scripts and other sites do not see, and vanishes', async () => {
    const { status, headers } = await raw(`/?token=${token()}`, {});
    expect(status).toBe(303);
    expect(headers['location']).toBe('/');
    const [cookie] = headers['set-cookie'] as string[];
    expect(cookie).toMatch(/^orbweaver-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(token());
    const [pair] = cookie.split(';');
    expect((await raw('/api/runs', { Cookie: `a=b; ${pair}; c=d` })).status).toBe(200);
    expect((await raw('/api/runs', { Cookie: `${pair}x` })).status).toBe(401);
  });

  test('the token opens only the page, and only by GET', async () => {
    expect((await raw(`/api/runs?token=${token()}`, {})).status).toBe(401);
    expect((await raw(`/?token=${token()}`, {}, 'POST')).status).toBe(401);
  });

  test.each(['evil.example', '127.0.0.1', 'localhost:1'])('host %j is refused', async (host) => {
    const { status, text } = await raw('/api/runs', { Host: host, Authorization: `Bearer ${token()}` });
    expect(status).toBe(403);
    expect(text).toContain('the dashboard is at');
  });

  test('localhost and the loopback addresses are the same dashboard', async () => {
    const { port } = new URL(served.origin);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await raw('/api/runs', { Host: host, Authorization: `Bearer ${token()}` })).status).toBe(200);
  });

  test.each([
    { Origin: 'http://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('another site changes nothing: %o', async (headers) => {
    const { status, body } = await served.ask('/api/runs', {}, headers);
    expect(status).toBe(403);
    expect(body).toEqual({ error: 'the request comes from another site' });
  });

  test('state changes by POST alone', async () => {
    for (const path of ['/api/runs/x/control', '/api/check'])
      expect((await served.ask(path)).status).toBe(404);
  });
});

describe('what a browser is allowed', () => {
  test('every answer forbids scripts, styles and connections of others', async () => {
    for (const path of ['/api/runs', '/nothing']) {
      const { headers } = await served.ask(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:|script-src[^;]*blob:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '/.git/config', '//etc/passwd', '/%00'])(
    '%s leads nowhere', async (path) => {
      const { status } = await raw(path, { Authorization: `Bearer ${token()}` });
      expect([400, 403, 404]).toContain(status);
    });
});

test('a port in use is one message', async () => {
  const port = Number(new URL(served.origin).port);
  expect(await inputErrorOf(DashboardServer.listen({
    folders: [], maker: runMaker('runs'), openPages: pagesOpener(), program: [], port,
  })))
    .toBe(`127.0.0.1:${port}: is in use; name another port, or none`);
});
