// Bundles all that the package ships: the command, the doors of the library with their types, the scripts of threads,
// and what browsers run. `npm run build` runs it after the compiler, whose modules only the tests load.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = dirname(fileURLToPath(import.meta.url));
const [src, dist] = [join(root, 'src'), join(root, 'dist')];

/** What users import: `orbweaver` and `orbweaver/NAME`. */
const doors = ['index', 'queue', 'crawl', 'policy', 'urlfrontier'];

/**
 * Packages that users install: those that have native code or scripts of threads, undici, which is loaded on demand,
 * and graphology, since our graphs are to be instances of its users' classes.
 */
const installed = ['graphology', 'libsql', 'lmdb', 'piscina', 'undici'];
/** Compared with our queues where somebody has installed them. */
const peers = ['flatqueue', 'heap-js', 'mnemonist', 'tinyqueue'];

/** What `onDemand` loads: the file of each, and what is in it. */
const onDemand = {
  encodings: ['@exodus/bytes/encoding.js', '@exodus/bytes/whatwg.js'], re2js: ['re2js'], tldts: ['tldts'],
  yaml: ['yaml'],
};

/** Files of packages that are now in a bundle, for the list of their licences. */
const bundled = new Set();
const bundle = async (options) => {
  const result = await build({ ...options, metafile: true, absWorkingDir: root, logLevel: 'warning' });
  for (const input of Object.keys(result.metafile.inputs)) bundled.add(input);
  return result;
};

await bundle({
  entryPoints: ['src/views/report/page/main.ts', 'src/views/report/page/shown.ts'], outdir: 'dist/views/report/page', bundle: true,
  minify: true, format: 'iife', charset: 'utf8', legalComments: 'none',
});

/** What the browser runs of the dashboard; what draws graphs is a piece that is loaded with the first one. */
const forBrowsers = {
  outdir: 'dist/views/dashboard', bundle: true, minify: true, charset: 'utf8', legalComments: 'none',
};
// Pieces of an earlier build have other names.
await rm(join(dist, 'dashboard'), { recursive: true, force: true });
await bundle({
  ...forBrowsers, format: 'esm', splitting: true, chunkNames: 'piece-[hash]', jsx: 'automatic',
  jsxImportSource: 'preact',
  entryPoints: [
    { in: 'src/views/dashboard/main.tsx', out: 'app' }, { in: 'src/views/dashboard/app.css', out: 'app' },
  ],
});
await bundle({
  ...forBrowsers, format: 'iife',
  entryPoints: [
    { in: 'src/views/dashboard/live/events-worker.ts', out: 'events-worker' },
    { in: 'src/views/dashboard/views/graph/picture/layout-worker.ts', out: 'layout-worker' },
  ],
});
await bundle({
  ...forBrowsers, outdir: 'dist/views/service/search/page', format: 'iife',
  entryPoints: ['src/views/service/search/page/keys.ts', 'src/views/service/search/page/search.css'],
});
// Their styles begin with the report's colours.
const { palette } = await import('./dist/views/report/style.js');
for (const path of ['views/dashboard/app.css', 'views/service/search/page/search.css']) {
  const stylePath = join(dist, path);
  await writeFile(stylePath, palette + await readFile(stylePath, 'utf8'));
}
await copyFile(join(src, 'views/dashboard/index.html'), join(dist, 'views/dashboard/index.html'));

/** Scripts of threads and processes, which would otherwise be loaded module by module. */
const threads = {
  'page-worker': 'core/live/pages/page-worker', 'record-worker': 'core/live/archive/record-worker',
  'pagerank-thread': 'graphs/rank/pagerank/pagerank-thread', 'plan-worker': 'questions/plan/trials/worker',
  'study-worker': 'questions/study/run/worker', 'tune-worker': 'core/engine/tune/worker',
  'statistics-thread': 'core/statistics/statistics-thread', 'tune-timed-worker': 'core/engine/tune/timed-worker',
  'opening-thread': 'machines/cluster/studies/opening', 'search-thread': 'search/query/search-thread',
  'task-worker': 'search/indexing/task-worker', 'slice-worker': 'core/queue/sliced/slice-worker',
  'slice-load-worker': 'questions/bench/slices/slice-load-worker', 'cell-worker': 'questions/bench/growing/cell-worker',
  'drain-process': 'questions/bench/paged/drain-process',
};

await rm(join(dist, 'bundle'), { recursive: true, force: true });

const onDemandFiles = Object.fromEntries(
  Object.entries(onDemand).flatMap(([file, names]) => names.map((name) => [name, `./${file}.cjs`])),
);
const threadAt = new Map(Object.entries(threads).map(([name, path]) => [join(src, path), name]));

const { metafile: { outputs } } = await bundle({
  entryPoints: {
    ...Object.fromEntries(Object.entries(threads).map(([name, path]) => [name, `src/${path}.ts`])),
    ...Object.fromEntries(doors.map((name) => [name, `src/${name}.ts`])),
    program: 'src/cli/program.ts', main: 'src/cli/main.ts',
  },
  outdir: 'dist/bundle', bundle: true, splitting: true, format: 'esm',
  platform: 'node', target: 'node20', charset: 'utf8', legalComments: 'none', minifyWhitespace: true,
  external: [...installed, ...peers],
  plugins: [{
    name: 'as it was before bundling',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        // A module finds the script of a thread in the bundle, and other files (kernels, data) from where the compiler
        // put it.
        const compiled = join(dist, relative(src, path)).replace(/\.ts$/, '.js');
        const own = `new URL(${JSON.stringify(relative(join(dist, 'bundle'), compiled))}, import.meta.url).href`;
        const scriptOf = (_, name) => {
          const script = threadAt.get(join(dirname(path), name));
          if (script === undefined) throw new Error(`${path}: the script of its thread, ${name}, is not bundled`);
          return `new URL('./${script}.js', import.meta.url)`;
        };
        const source = await readFile(path, 'utf8');
        if (path.endsWith('/package/on-demand.ts')) {
          const contents = source.replace('load(name)', `load(${JSON.stringify(onDemandFiles)}[name])`);
          return { contents, loader: 'ts' };
        }
        const contents = source
          .replaceAll(/threadModule\(import\.meta\.url, '([\w-]+)'\)|import\.meta\.url/g, (text, name) =>
            (name === undefined ? own : scriptOf(text, name)));
        return { contents, loader: 'ts' };
      });
    },
  }],
});

for (const [file, names] of Object.entries(onDemand)) {
  await bundle({
    stdin: { contents: names.map((name) => `export * from '${name}';`).join('\n'), resolveDir: root },
    outfile: `dist/bundle/${file}.cjs`, bundle: true, format: 'cjs', platform: 'node', target: 'node20',
    charset: 'utf8', legalComments: 'none', minifyWhitespace: true,
  });
}

// Packages of CommonJS load modules of Node by `require`, which modules do not have. Only the piece that asks for it
// makes one: making one takes milliseconds.
for (const path of Object.keys(outputs)) {
  const text = await readFile(join(root, path), 'utf8');
  if (!text.includes('typeof require')) continue;
  const made =
    "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
  await writeFile(join(root, path), `${made}\n${text}`);
}

// Tests, which run the compiler's modules, start threads as quickly.
for (const [name, path] of Object.entries(threads)) {
  const bundled = JSON.stringify(relative(join(dist, dirname(path)), join(dist, 'bundle', `${name}.js`)));
  const isPool = outputs[`dist/bundle/${name}.js`].exports.includes('default');
  await writeFile(join(dist, `${path}.js`), isPool ? `export { default } from ${bundled};\n` : `import ${bundled};\n`);
}

// Editors show nothing of settings whose types are computed from a schema: they are written out, with comments.
const [{ interfaceOf }, { shippedPolicies: { settings } }, { liveSchema }] = await Promise.all([
  import('./dist/cli/help/setting-types.js'), import('./dist/core/policy/index.js'), import('./dist/core/live/settings.js'),
]);
for (const [path, name, schema] of [
  ['core/settings/experiment', 'ExperimentInput', settings.experiment],
  ['core/settings/experiment', 'LiveCrawlInput', settings.liveCrawl],
  ['core/live/settings', 'LiveInput', liveSchema],
]) {
  const file = join(dist, `${path}.d.ts`);
  const text = await readFile(file, 'utf8');
  const written = text.replace(new RegExp(`export type ${name} = [^;]*;\\n|export interface ${name} [^]*?\\n}\\n`), () =>
    interfaceOf(name, schema));
  if (!written.includes(`interface ${name} `)) throw new Error(`${file}: no type ${name}`);
  await writeFile(file, written);
}

// The types of the doors: what users can reach of the compiler's declarations.
const types = await rollup({
  input: Object.fromEntries(doors.map((name) => [name, join(dist, `${name}.d.ts`)])),
  plugins: [dts({
    tsconfig: join(root, 'tsconfig.json'), includeExternal: ['nice-grpc-common'],
  })],
  external: ['graphology', 'zod', /^node:/],
  // Types that a door reaches without exporting them stay without a name there.
  onwarn: () => {},
});
await rm(join(dist, 'types'), { recursive: true, force: true });
await types.write({
  dir: join(dist, 'types'), format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: '[name].ts',
});

await writeFile(join(dist, 'bundle/licences.md'), await licences());

// The version of the code, over the compiler's modules, which the package does not ship.
const versionPath = join(dist, 'code-version.txt');
await rm(versionPath, { force: true });
const { codeVersion } = await import('./dist/questions/study/index.js');
await writeFile(versionPath, codeVersion());

// The manual page, from the command line itself.
const [{ newProgram }, { manPage }] = await Promise.all([
  import('./dist/cli/program.js'), import('./dist/cli/help/man-page.js'),
]);
await mkdir(join(dist, 'man'), { recursive: true });
await writeFile(join(dist, 'man/orbweaver.1'), `${manPage(await newProgram(process))}\n`);

/** The licences of the packages whose code is in a bundle. */
async function licences() {
  const folders = new Set([...bundled].flatMap((path) =>
    /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const texts = await Promise.all([...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const file = (await readdir(join(root, folder))).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file === undefined ? '' : `\n${(await readFile(join(root, folder, file), 'utf8')).trim()}\n`;
    return `## ${name} ${version}, ${license}\n${text}`;
  }));
  return `# Licences of the packages whose code is in this package\n\n${texts.join('\n')}`;
}
