import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkText, InputError } from '../../base/index.ts';
import { definePolicy, type PolicyDefinition } from './define-policy.ts';

/** Whether the value of --policy is a file rather than a name. */
export function isPolicyFile(name: string): boolean {
  return /[/\\]|\.[cm]?[jt]s$/.test(name);
}

/** The policies that settings name by their files, as written, each once. */
export function policyFilesIn(policies: readonly unknown[], weights: readonly unknown[]): string[] {
  const names = weights.flatMap((weight) => (weight !== null && typeof weight === 'object' ? Object.keys(weight) : []));
  return [...new Set([...policies, ...names])].filter((name) => typeof name === 'string').filter(isPolicyFile);
}

/** More than any policy: bundles of whole programs are smaller. */
const MAX_BYTES = 16 * 1024 * 1024;

/** SHA-256 of a policy's file, in hexadecimal; the file is read, not run. @throws InputError if it cannot be read. */
export async function policyChecksum(file: string): Promise<string> {
  return (await readPolicy(file)).sha256;
}

/**
 * Loads a policy, the default export of a JavaScript file. The file is run as code, with all rights of the process. It
 * must be one file: its checksum identifies the policy in records and caches, and would not cover other files.
 *
 * @param file - its path; records contain it as written here.
 * @param sha256 - the SHA-256 that its bytes must have, in hexadecimal.
 * @returns the policy, with its origin.
 * @throws InputError if the file cannot be read or run, has another checksum, or does not export a policy.
 */
export async function loadPolicy(file: string, sha256?: string): Promise<PolicyDefinition> {
  checkText('file', file);
  const { text, sha256: ours } = await readPolicy(file);
  if (sha256 !== undefined && ours !== sha256)
    throw new InputError(`${file}: is not the policy that the settings name: its SHA-256 is ${ours}, not ${sha256}`);
  const imported = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{0,2}\/[^'"]*)['"]/.exec(text);
  if (imported !== null)
    throw new InputError(`${file}: imports ${imported[1]}, but a policy must be one file, so that its checksum covers it`);
  checkIsModule(file, text);
  const module = await run(file, ours);
  if (module.default === undefined)
    throw new InputError(`${file}: has no default export; a policy file ends with export default definePolicy({ ... })`);
  try {
    return Object.freeze({ ...definePolicy(module.default as PolicyDefinition), origin: { file, sha256: ours } });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${file}: ${error.message}`, { field: error.field });
  }
}

/** Loaded with the first file: most commands have none, and start sooner without. */
async function readPolicy(file: string): Promise<{ readonly text: string; readonly sha256: string }> {
  const { readRegular } = await import('../../base/files/index.ts');
  const { createHash } = await import('node:crypto');
  try {
    const bytes = await readRegular(file, MAX_BYTES);
    return { text: bytes.toString(), sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `${file}: no such file`
      : error instanceof InputError ? error.message : `${file}: cannot be read (${code ?? String(error)})`;
    throw new InputError(`${why}; --policy takes the name of a policy, or a JavaScript file`);
  }
}

/**
 * Checks before Node does: Node prints a warning, and a message that does not say what to do.
 * @throws InputError for an ES module in a .js file of a package of CommonJS.
 */
export function checkIsModule(file: string, text: string): void {
  if (!file.endsWith('.js') || !/^\s*export\b/m.test(text)) return;
  const packageFile = nearestPackage(dirname(resolve(file)));
  if (packageFile === undefined || !/"type"\s*:\s*"commonjs"/.test(readFileSync(packageFile, 'utf8'))) return;
  throw new InputError(
    `${file}: is an ES module, but ${packageFile} has "type": "commonjs"; name the file ${basename(file, '.js')}.mjs`,
  );
}

function nearestPackage(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? undefined : nearestPackage(dirname(folder));
}

/** Imported under its checksum, so that a changed file is another module. */
async function run(file: string, sha256: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(`${pathToFileURL(resolve(file)).href}?${sha256}`)) as { readonly default?: unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new InputError(`${file}: cannot be run as a policy: ${message.replace(/\s+/g, ' ')}`, { cause: error });
  }
}
