import { threadModule as besideIt } from '../src/base/threads/thread-module.ts';

// In the place of src/base/threads/thread-module.ts in tests (vitest.config.ts). A thread that loads TypeScript takes
// a third of a second of a core before it begins, one that loads the build a tenth: threads of src/ run what is built,
// which test/build.ts has made of the same source. Those of test/ are TypeScript still, loaded as tsx loads them.

export { firstModule, isTypeScript, loaderArguments } from '../src/base/threads/thread-module.ts';

const source = new URL('../src/', import.meta.url).href;
const built = new URL('../dist/', import.meta.url).href;

export function threadModule(from: string, name: string): URL {
  const module = besideIt(from, name);
  if (!module.href.startsWith(source)) return module;
  return new URL(module.href.slice(source.length).replace(/\.ts$/, '.js'), built);
}
