/**
 * The module `name` beside the module `from` (its `import.meta.url`), for a worker thread to run: TypeScript where
 * `from` is, as under a test runner or tsx.
 */
export function threadModule(from: string, name: string): URL {
  return new URL(`./${name}.${isTypeScript(from) ? 'ts' : 'js'}`, from);
}

export function isTypeScript(module: URL | string): boolean {
  return String(module).endsWith('.ts');
}

/** What makes a thread's later imports TypeScript, as an argument of Node's. */
export function loaderArguments(module: URL): string[] {
  return isTypeScript(module) ? ['--import', import.meta.resolve('tsx')] : [];
}

/**
 * What a thread is started with so that it runs `module`. For a thread's first module `--import` comes too late (tsx,
 * issue 354): this one registers the loader, and then imports ours.
 */
export function firstModule(module: URL): URL {
  if (!isTypeScript(module)) return module;
  const [loader, ours] = [import.meta.resolve('tsx/esm/api'), module.href].map((url) => JSON.stringify(url));
  const text = `import { register } from ${loader}; register(); await import(${ours});`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}
