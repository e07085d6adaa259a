/**
 * The module `name` beside the module `from` (its `import.meta.url`), for a worker thread to run: TypeScript if `from`
 * is, as under a test runner or tsx.
 */
export function threadModule(from: string, name: string): URL {
  return new URL(`./${name}.${isTypeScript(from) ? 'ts' : 'js'}`, from);
}

export function isTypeScript(module: URL | string): boolean {
  return String(module).endsWith('.ts');
}

/** The Node argument that enables TypeScript imports in a thread. */
export function loaderArguments(module: URL): string[] {
  return isTypeScript(module) ? ['--import', import.meta.resolve('tsx')] : [];
}

/**
 * The entry URL with which a thread runs `module`. For a thread's first module `--import` comes too late (tsx, issue
 * 354): this entry registers the loader, then imports ours.
 */
export function firstModule(module: URL): URL {
  if (!isTypeScript(module)) return module;
  const [loader, ours] = [import.meta.resolve('tsx/esm/api'), module.href].map((url) => JSON.stringify(url));
  const text = `import { register } from ${loader}; register(); await import(${ours});`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}
