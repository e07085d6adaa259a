import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { newProgram } from '../../src/cli/program.ts';
import { FrontierServer } from '../../src/views/service/frontier/index.ts';
import { CrawlCounts } from '../../src/views/service/metrics/crawl-counts.ts';
import { crawlMetrics } from '../../src/views/service/metrics/crawl-metrics.ts';
import { newFolder } from '../cli/command.ts';

// Goal: Compose, Kubernetes, systemd and Grafana get files that they can read, whose commands and metrics exist, and
// without a password in any of them.

const deploy = fileURLToPath(new URL('../../src/views/service/deploy', import.meta.url));
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');
const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
const manifests = files.filter((name) => name.startsWith('kubernetes/'));

let folder: string;
beforeAll(() => { folder = newFolder(); });
afterAll(() => { rmSync(folder, { recursive: true }); });

/** The documents of a YAML text; the parser must have nothing to say. */
function documents(text: string): unknown[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS() as unknown;
  });
}

/** The words of a shell's line; one in quotation marks may have blanks. */
function wordsIn(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ''));
}

/** All lists of words, and the words of all texts, anywhere in a value. */
function* listsIn(value: unknown): Generator<readonly string[]> {
  if (typeof value === 'string') yield wordsIn(value);
  if (Array.isArray(value) && value.every((word) => typeof word === 'string')) yield value;
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* listsIn(part);
}

/** The arguments of each Orbweaver in a list of words: all of them, or those after its path in a shell's line. */
function commandLines(words: readonly string[], names: readonly string[]): (readonly string[])[] {
  const at = words.findIndex((word) => /(^|\/)(main\.js|orbweaver)$/.test(word));
  const line = words.slice(at + 1);
  return names.includes(line[0]) && line.length > 1 ? [line] : [];
}

/** Every command line in a file. */
function linesOf(name: string, names: readonly string[]): (readonly string[])[] {
  const text = read(name);
  const lists = name.endsWith('.yaml')
    ? documents(text).flatMap((one) => [...listsIn(one)])
    : (text.replace(/\\\n\s*/g, '').match(/^ExecStart=.*$/gm) ?? []).map(wordsIn);
  return lists.flatMap((words) => commandLines(words, names));
}

/** Of a command line the flags that its command does not know, those without their value, and words too many. */
async function faultsOf([name, ...words]: readonly string[]): Promise<string[]> {
  const nowhere = { write: () => true } as never;
  const program = await newProgram({ stdout: nowhere, stderr: nowhere }, [name]);
  const top = program.commands.find((one) => one.name() === name);
  if (top === undefined) return [`no command ${name}`];
  const below = top.commands.find((one) => one.name() === words[0]);
  const [command, rest] = below === undefined ? [top, words] : [below, words.slice(1)];
  const faults: string[] = [];
  const plain: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    if (!rest[i].startsWith('--')) {
      plain.push(rest[i]);
      continue;
    }
    const flag = command.options.find(({ long }) => long === rest[i]);
    if (flag === undefined) faults.push(`${name}: no flag ${rest[i]}`);
    else if (flag.required && (rest[++i] ?? '--').startsWith('--')) faults.push(`${name}: no value of ${rest[i - 1]}`);
  }
  const { registeredArguments: known } = command;
  const most = known.some(({ variadic }) => variadic) ? Infinity : known.length;
  if (plain.length > most) faults.push(`${name}: too many words: ${plain.join(' ')}`);
  return faults;
}

async function namesOfCommands(): Promise<string[]> {
  const nowhere = { write: () => true } as never;
  return (await newProgram({ stdout: nowhere, stderr: nowhere })).commands.map((one) => one.name());
}

describe('command lines', () => {
  // The file of the server at which others meet starts no command of ours.
  const starters = files.filter((name) => /\.(yaml|service)$/.test(name) && name !== 'kubernetes/redis.yaml');
  test.each(starters)('of %s are such as the command takes', async (name) => {
    const lines = linesOf(name, await namesOfCommands());
    expect(lines.length, 'the file starts a command').toBeGreaterThan(0);
    for (const line of lines) expect(await faultsOf(line)).toEqual([]);
  });

  test('with a flag or a word too many are noticed', async () => {
    expect(await faultsOf(['crawl', '--or-resume', '--out', 'x', '--log-in'])).toEqual(['crawl: no flag --log-in']);
    expect(await faultsOf(['crawl', '--out', '--or-resume'])).toEqual(['crawl: no value of --out']);
    expect(await faultsOf(['rank', 'a', 'b'])).toEqual(['rank: too many words: a b']);
    expect(await faultsOf(['creep'])).toEqual(['no command creep']);
    expect(commandLines(wordsIn('exec /opt/.bin/orbweaver rank "$(cat x)"'), ['rank'])).toEqual([['rank', '$(cat x)']]);
  });
});

test('no file has a password', () => {
  for (const name of files) {
    for (const [, password] of read(name).matchAll(/rediss?:\/\/[^\s:@"']*:([^@\s]*)@/g)) {
      expect(password, name).toMatch(/^(PASSWORD$|\$\(\w+\)|\$\{\w+\}|\${1,2}\(cat)/);
    }
    expect(read(name), name).not.toMatch(/^\s*\w*password: *\S|stringData|kind: Secret$/im);
  }
});

test('a crawl has as many nodes as its files start', async () => {
  const names = await namesOfCommands();
  const nodesOf = (name: string): unknown[] =>
    linesOf(name, names).map((line) => Number(line[line.indexOf('--nodes') + 1]));
  const manifests = documents(read('kubernetes/cluster.yaml')) as { kind: string; spec: { replicas?: number } }[];
  const replicas = manifests.flatMap(({ kind, spec }) => (kind === 'StatefulSet' ? spec.replicas : []));
  expect(nodesOf('kubernetes/cluster.yaml')).toEqual(replicas);
  const { services } = compose.parse(documents(read('compose-cluster.yaml'))[0]);
  const nodes = Object.values(services).flatMap(({ environment }) => environment['NODE'] ?? []);
  expect(nodes).toEqual(nodes.map((_, node) => String(node)));
  expect(new Set(nodesOf('compose-cluster.yaml'))).toEqual(new Set([nodes.length]));
});

test('a pod has the node of its ordinal', () => {
  const [script] = [...listsIn(documents(read('kubernetes/cluster.yaml')))]
    .flatMap((words) => words.filter((word) => word.startsWith('exec node ')));
  const { stdout } = spawnSync('sh', ['-c', script.replace('exec node', 'echo')], {
    encoding: 'utf8', env: { ...process.env, POD_NAME: 'orbweaver-cluster-12' },
  });
  expect(stdout).toMatch(/ --node 12 --nodes 3\n$/);
});

const labels = z.record(z.string(), z.string());
const container = z.object({
  name: z.string(), image: z.string().regex(/^[a-z0-9/-]+(:[a-z0-9.-]+)?$/),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string().startsWith('/') })).default([]),
  securityContext: z.object({ allowPrivilegeEscalation: z.literal(false), readOnlyRootFilesystem: z.literal(true) }),
});
const workload = z.object({
  apiVersion: z.enum(['apps/v1', 'batch/v1']), kind: z.enum(['StatefulSet', 'Deployment', 'Job']),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.object({ matchLabels: labels }).optional(),
    serviceName: z.string().optional(),
    template: z.object({
      metadata: z.object({ labels }).optional(),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
        containers: z.array(container).min(1),
        volumes: z.array(z.object({ name: z.string() })).default([]),
      }),
    }),
    volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })).default([]),
  }),
});

describe.each(manifests)('%s', (name) => {
  const found = documents(read(name)) as { kind: string; metadata: { name: string } }[];
  const others = ['Service', 'PersistentVolumeClaim'];
  const workloads = found.filter(({ kind }) => !others.includes(kind)).map((one) => workload.parse(one));

  test('has workloads without privileges, whose labels and volumes agree', () => {
    expect(workloads.length).toBeGreaterThan(0);
    for (const { spec: { selector, template, volumeClaimTemplates } } of workloads) {
      if (selector) expect(template.metadata?.labels).toMatchObject(selector.matchLabels);
      const volumes = [...template.spec.volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)];
      const mounted = template.spec.containers.flatMap((one) => one.volumeMounts.map((mount) => mount.name));
      expect(new Set(mounted)).toEqual(new Set(volumes.map((volume) => volume.name)));
    }
  });

  test('has the Service that a StatefulSet needs', () => {
    const services = found.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    const needed = workloads.flatMap(({ spec }) => spec.serviceName ?? []);
    expect(services).toEqual(expect.arrayContaining(needed));
  });

  const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
  test.skipIf(!hasKubectl)('is read by kubectl kustomize (skipped where kubectl is not installed)', () => {
    const place = join(folder, name.replaceAll('/', '-'));
    mkdirSync(place);
    copyFileSync(join(deploy, name), join(place, 'manifest.yaml'));
    writeFileSync(join(place, 'kustomization.yaml'), 'resources: [manifest.yaml]\n');
    const { status, stderr, stdout } = spawnSync('kubectl', ['kustomize', place], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(documents(stdout)).toHaveLength(found.length);
  });
});

const compose = z.object({
  services: z.record(z.string(), z.object({
    image: z.string(), volumes: z.array(z.string()).default([]), ports: z.array(z.string()).default([]),
    configs: z.array(z.object({ source: z.string() })).default([]), network_mode: z.string().optional(),
    secrets: z.array(z.string()).default([]), environment: z.record(z.string(), z.string()).default({}),
  })),
  volumes: z.record(z.string(), z.unknown()).default({}),
  configs: z.record(z.string(), z.object({ content: z.string() })).default({}),
  secrets: z.record(z.string(), z.object({ file: z.string().startsWith('./') })).default({}),
});

describe.each(files.filter((name) => /^compose.*\.yaml$/.test(name)))('%s', (name) => {
  const [document] = documents(read(name));
  const { services, volumes, configs, secrets } = compose.parse(document);

  test('names volumes, configurations and secrets that it has, and opens ports on this machine alone', () => {
    const all = Object.values(services);
    const places = all.flatMap((service) => service.volumes.map((volume) => volume.split(':')[0]));
    expect(new Set(places.filter((place) => !place.startsWith('.')))).toEqual(new Set(Object.keys(volumes)));
    const used = all.flatMap((service) => service.configs.map(({ source }) => source));
    expect(new Set(used)).toEqual(new Set(Object.keys(configs)));
    expect(new Set(all.flatMap((service) => service.secrets))).toEqual(new Set(Object.keys(secrets)));
    for (const { content } of Object.values(configs)) documents(content);
    for (const port of all.flatMap((service) => service.ports)) expect(port).toMatch(/^127\.0\.0\.1:/);
    const shared = all.flatMap(({ network_mode: mode }) => mode?.replace('service:', '') ?? []);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(shared));
  });

  const hasCompose = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;
  test.skipIf(!hasCompose)('is read by docker compose config (skipped where Compose is not installed)', () => {
    const args = ['compose', '--file', join(deploy, name), 'config', '--quiet'];
    const { status, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

/** What a board shows, by its file: the metrics of a crawl, or those of a frontier. */
const boards: readonly (readonly [file: string, metrics: () => Promise<string>])[] = [
  ['grafana-board.json', () => Promise.resolve(crawlMetrics(new CrawlCounts(), { inspect: () => undefined }))],
  ['grafana-frontier.json', async () => {
    const server = await FrontierServer.listen({ store: join(folder, 'frontier') });
    try {
      return server.metrics();
    } finally {
      await server.close();
    }
  }],
];

test('every Grafana board is checked', () => {
  expect(boards.map(([name]) => name)).toEqual(files.filter((name) => name.startsWith('grafana')).sort());
});

describe.each(boards)('%s', (name, metrics) => {
  const board = z.object({
    title: z.string(), uid: z.string(), schemaVersion: z.number(),
    panels: z.array(z.object({
      id: z.number(), title: z.string(), type: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })).min(1),
    })),
  }).parse(JSON.parse(read(name)));
  const exprs = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const named = (expr: string): string[] => expr.match(/\b(?:orbweaver|frontier|process)_\w+/g) ?? [];
  let families: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const types = (await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm);
    families = new Map([...types].map(([, metric, type]) => [metric, type]));
  });

  test('shows every metric that there is, and no other', () => {
    expect(families.size).toBeGreaterThan(10);
    const shown = exprs.flatMap(named).map((metric) => {
      const family = metric.replace(/_(bucket|sum|count)$/, '');
      return ['histogram', 'summary'].includes(families.get(family) ?? '') ? family : metric;
    });
    expect(new Set(shown)).toEqual(new Set(families.keys()));
  });

  test('takes rates of counters and histograms, and of nothing else', () => {
    for (const expr of exprs) {
      for (const metric of named(expr)) {
        const isCounted = families.get(metric) !== 'gauge';
        expect(new RegExp(`rate\\(${metric}\\{`).test(expr), expr).toBe(isCounted);
      }
    }
  });

  test('has panels that do not overlap, each with its own number', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`));
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...board.panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });
});
