import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { statisticsColumns } from '../../../src/core/measure/index.ts';
import type { ListedRun } from '../../../src/views/service/dashboard/api.ts';
import type { OpenApiDocument } from '../../../src/views/service/dashboard/openapi/document.ts';
import { addRoutes, type Served } from '../../../src/views/service/dashboard/routes.ts';
import { orbweaver } from '../../cli/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { FedRun } from '../../watch/fed-run.ts';
import { servedDashboard } from './served.ts';

// Goal: the document says what the server does: its routes, no more and no fewer, and its answers.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
const documentOf = async (): Promise<OpenApiDocument> =>
  (await served.ask('/api/openapi.json')).body as OpenApiDocument;

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: object }>>;
}

/** Each operation, with its name: method and path. */
function operationsOf({ paths }: OpenApiDocument): [name: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(
    ([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation as never],
  ));
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => key === '$ref' ? [part as string] : refsIn(part));
}

test('every route is in the document, and everything in the document is a route', async () => {
  const app = fastify({ exposeHeadRoutes: false });
  const routes: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push(`${String(method)} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
  // Routes are added without a look at what they serve.
  addRoutes(app, {} as Served);
  await app.close();
  expect(operationsOf(await documentOf()).map(([name]) => name).sort()).toEqual(routes.sort());
  expect(routes.every((route) => / \/api\//.test(route))).toBe(true);
});

test('the document is OpenAPI 3.1: what it refers to is there, and what has to be there is', async () => {
  const document = await documentOf();
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: expect.any(String) as string, version: expect.any(String) as string });
  const { schemas, securitySchemes } = document.components;
  expect(document.security.flatMap((need) => Object.keys(need))).toEqual(Object.keys(securitySchemes));
  expect(Object.keys(schemas).every((name) => /^[\w.-]+$/.test(name))).toBe(true);
  const refs = new Set(refsIn(document));
  expect(refs).toEqual(new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`)));
  for (const [name, { summary, parameters = [], requestBody, responses }] of operationsOf(document)) {
    const [method, path] = name.split(' ');
    expect(summary).not.toBe('');
    const inPath = parameters.filter((one) => one.in === 'path');
    expect(inPath.map((one) => `{${one.name}}`).sort()).toEqual((path.match(/\{\w+\}/g) ?? []).sort());
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(requestBody !== undefined).toBe(method === 'POST');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403']));
    expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toHaveLength(1);
    for (const { description, content } of Object.values(responses)) {
      expect(description).not.toBe('');
      expect(Object.keys(content)).toHaveLength(1);
    }
  }
});

test('its README names every path', async () => {
  const readme = readFileSync(new URL('../../../src/views/service/dashboard/README.md', import.meta.url), 'utf8');
  for (const [name] of operationsOf(await documentOf()))
    expect(readme).toContain(`\`${name.replaceAll(/\{(\w+)\}/g, (_, word: string) => word.toUpperCase())}`);
});

describe('answers are as the document says', () => {
  /** Throws if an answer is not as the document says. */
  const checkerOf = async (): Promise<(name: string, answer: unknown) => void> => {
    const { components: { schemas } } = await documentOf();
    const local = JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/')) as object;
    return (name, answer) => {
      z.fromJSONSchema({ $defs: local as never, $ref: `#/$defs/${name}` }).parse(answer);
    };
  };
  const get = async (path: string): Promise<unknown> => (await served.ask(path)).body;

  test('of a run that has ended', async () => {
    const out = join(served.runs, 'star');
    expect((await orbweaver(['simulate', 'star', '--processors', '2', '--out', out], folder)).code).toBe(0);
    const check = await checkerOf();
    const list = await get('/api/runs');
    const [{ id }] = (list as { runs: ListedRun[] }).runs;
    check('RunList', list);
    check('RunView', await get(`/api/runs/${id}`));
    check('OpenedSuperstep', await get(`/api/runs/${id}/superstep/last`));
    check('Trace', await get(`/api/runs/${id}/trace`));
    check('SettingsForms', await get('/api/settings'));
    check('RunLog', await get(`/api/runs/${id}/log`));
    check('RunFeed', await get(`/api/runs/${id}/feed`));
    for (const path of ['runs/none', 'none', 'runs/none/superstep/x', 'runs/none/log'])
      check('ApiError', await get(`/api/${path}`));
    const body = { kind: 'simulation', graph: 'star', settings: {} };
    check('NewRun', body);
    check('CheckedRun', (await served.ask('/api/check', body)).body);
    expect(() => { check('NewRun', { ...body, graph: 1 }); }).toThrow();
    expect(() => { check('RunView', { listed: id }); }).toThrow();
  });

  test('of a run that goes on', async () => {
    const run = await FedRun.open(2);
    run.feed(3);
    const check = await checkerOf();
    const view = await get(`/api/runs/${run.watch.card.id}`) as { state: unknown };
    check('RunView', view);
    check('RunState', view.state);
    for (const message of run.watch.whole()) check('RunMessage', message);
    const { properties } = (await documentOf()).components.schemas['Statistics'];
    expect(Object.keys(properties as object)).toEqual([...statisticsColumns, 'inDegrees', 'outDegrees']);
    await run.finish();
  });
});
