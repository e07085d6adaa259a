/**
 * What a worker thread of ours runs: the module `name` beside the module `from` (its `import.meta.url`), without ending. From source,
 * under a test runner or tsx, it is TypeScript and needs the loader; `--import` comes too late for a thread's first module (tsx, issue
 * 354), so that one registers it and then imports ours.
 */
export function workerModule(from: string, name: string): URL {
  if (!from.endsWith('.ts')) return new URL(`./${name}.js`, from);
  const [loader, worker] = [import.meta.resolve('tsx/esm/api'), new URL(`./${name}.ts`, from).href].map((url) => JSON.stringify(url));
  const module = `import { register } from ${loader}; register(); await import(${worker});`;
  return new URL(`data:text/javascript,${encodeURIComponent(module)}`);
}
