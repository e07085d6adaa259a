// Bundles what is loaded as a whole: the scripts of reports, and the command, which starts in half the time as a few
// files instead of 800. `npm run build` runs it after the compiler.
import { readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** Packages that find files of their own beside themselves, or are loaded on demand (undici). */
const whole = ['lmdb', 'piscina', 'undici'];

await build({
  entryPoints: ['src/report/page/main.ts', 'src/report/page/shown.ts'], outdir: 'dist/report/page', bundle: true,
  minify: true, format: 'iife', charset: 'utf8', legalComments: 'inline', logLevel: 'warning',
});

// Pieces of an earlier build have other names.
await rm(join(dist, 'bundle'), { recursive: true, force: true });

await build({
  entryPoints: ['dist/cli/main.js'], outdir: 'dist/bundle', bundle: true, splitting: true, format: 'esm',
  platform: 'node', target: 'node20', charset: 'utf8', legalComments: 'inline', logLevel: 'warning',
  // Packages of CommonJS load modules of Node by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  plugins: [{
    name: 'as it was before bundling',
    setup({ onResolve, onLoad }) {
      // Packages that are not there for users (the peers of `bench`) are looked for when they are needed.
      onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
        const name = path.split('/').slice(0, path.startsWith('@') ? 2 : 1).join('/');
        const isOurs = importer.startsWith(dist);
        return whole.includes(name) || (isOurs && !(name in dependencies)) ? { path, external: true } : undefined;
      });
      // A module finds the files beside it (kernels, scripts of threads, data) from where it was.
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        if (!path.startsWith(dist)) return undefined;
        const own = `new URL(${JSON.stringify(relative(join(dist, 'bundle'), path))}, import.meta.url).href`;
        return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', own) };
      });
    },
  }],
});
