// Bundles what is loaded as a whole: the scripts of reports, and the command, which starts in half the time as a few
// files instead of 800. `npm run build` runs it after the compiler.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const [src, dist] = [join(root, 'src'), join(root, 'dist')];
const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** Packages that find files of their own beside themselves, or are loaded on demand (undici). */
const whole = [
  'libsql', 'lmdb', 'piscina', 'undici', '@grpc/grpc-js', 'nice-grpc', 'nice-grpc-server-health',
  'nice-grpc-server-reflection',
];

await build({
  entryPoints: ['src/report/page/main.ts', 'src/report/page/shown.ts'], outdir: 'dist/report/page', bundle: true,
  minify: true, format: 'iife', charset: 'utf8', legalComments: 'inline', logLevel: 'warning',
});

/** What the browser runs of the dashboard; what draws graphs is a piece that is loaded with the first one. */
const forBrowsers = {
  outdir: 'dist/dashboard', bundle: true, minify: true, charset: 'utf8', legalComments: 'inline', logLevel: 'warning',
};
// Pieces of an earlier build have other names.
await rm(join(dist, 'dashboard'), { recursive: true, force: true });
await build({
  ...forBrowsers, format: 'esm', splitting: true, chunkNames: 'piece-[hash]', jsx: 'automatic',
  jsxImportSource: 'preact',
  entryPoints: [
    { in: 'src/dashboard/main.tsx', out: 'app' }, { in: 'src/dashboard/app.css', out: 'app' },
  ],
});
await build({
  ...forBrowsers, format: 'iife',
  entryPoints: [
    { in: 'src/dashboard/live/events-worker.ts', out: 'events-worker' },
    { in: 'src/dashboard/views/graph/picture/layout-worker.ts', out: 'layout-worker' },
  ],
});
await build({
  ...forBrowsers, outdir: 'dist/service/search/page', format: 'iife',
  entryPoints: ['src/service/search/page/keys.ts', 'src/service/search/page/search.css'],
});
// Their styles begin with the report's colours.
const { palette } = await import('./dist/report/style.js');
for (const path of ['dashboard/app.css', 'service/search/page/search.css']) {
  const stylePath = join(dist, path);
  await writeFile(stylePath, palette + await readFile(stylePath, 'utf8'));
}
await copyFile(join(src, 'dashboard/index.html'), join(dist, 'dashboard/index.html'));

/** Scripts of threads that load much, which a thread would otherwise load module by module. */
const threads = {
  'page-worker': 'live/pages/page-worker', 'record-worker': 'live/archive/record-worker',
  'pagerank-thread': 'rank/pagerank/pagerank-thread', 'plan-worker': 'plan/trials/worker',
  'study-worker': 'study/run/worker', 'tune-worker': 'engine/tune/worker',
  'statistics-thread': 'statistics/statistics-thread', 'tune-timed-worker': 'engine/tune/timed-worker',
  'opening-thread': 'cluster/studies/opening', 'search-thread': 'search/query/search-thread',
  'task-worker': 'search/indexing/task-worker',
};

await rm(join(dist, 'bundle'), { recursive: true, force: true });

const { metafile: { outputs } } = await build({
  metafile: true, absWorkingDir: root,
  entryPoints: {
    ...Object.fromEntries(Object.entries(threads).map(([name, path]) => [name, `src/${path}.ts`])),
    program: 'src/cli/program.ts', main: 'src/cli/main.ts',
  },
  outdir: 'dist/bundle', bundle: true, splitting: true, format: 'esm',
  platform: 'node', target: 'node20', charset: 'utf8', legalComments: 'inline', logLevel: 'warning',
  plugins: [{
    name: 'as it was before bundling',
    setup({ onResolve, onLoad }) {
      // Packages that are not there for users (the peers of `bench`) are looked for when they are needed.
      onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
        const name = path.split('/').slice(0, path.startsWith('@') ? 2 : 1).join('/');
        const isOurs = importer.startsWith(src);
        return whole.includes(name) || (isOurs && !(name in dependencies)) ? { path, external: true } : undefined;
      });
      // A module finds the files beside it (kernels, scripts of threads, data) from where the compiler put it.
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const compiled = join(dist, relative(src, path)).replace(/\.ts$/, '.js');
        const own = `new URL(${JSON.stringify(relative(join(dist, 'bundle'), compiled))}, import.meta.url).href`;
        return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', own), loader: 'ts' };
      });
    },
  }],
});

// Packages of CommonJS load modules of Node by `require`, which modules do not have. Only the piece that asks for it
// makes one: making one takes milliseconds.
for (const path of Object.keys(outputs)) {
  const text = await readFile(join(root, path), 'utf8');
  if (!text.includes('typeof require')) continue;
  const made =
    "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
  await writeFile(join(root, path), `${made}\n${text}`);
}

// What starts a thread finds its script where the compiler put it.
for (const [name, path] of Object.entries(threads)) {
  const bundled = JSON.stringify(relative(join(dist, dirname(path)), join(dist, 'bundle', `${name}.js`)));
  const isPool = outputs[`dist/bundle/${name}.js`].exports.includes('default');
  await writeFile(join(dist, `${path}.js`), isPool ? `export { default } from ${bundled};\n` : `import ${bundled};\n`);
}

// The manual page, from the command line itself.
const [{ newProgram }, { manPage }] = await Promise.all([
  import('./dist/cli/program.js'), import('./dist/cli/help/man-page.js'),
]);
await mkdir(join(dist, 'man'), { recursive: true });
await writeFile(join(dist, 'man/orbweaver.1'), `${manPage(await newProgram(process))}\n`);
