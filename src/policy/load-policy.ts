import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../base/index.ts';
import { definePolicy, type PolicyDefinition } from './define-policy.ts';

/** Whether what a user gives as a policy is a file, and no name. */
export function isPolicyFile(given: string): boolean {
  return /[/\\]|\.[cm]?[jt]s$/.test(given);
}

/** The policies that settings name by their files, as these are written, each once. */
export function policyFilesIn(policies: readonly unknown[], weights: readonly unknown[]): string[] {
  const names = weights.flatMap((one) => (one !== null && typeof one === 'object' ? Object.keys(one) : []));
  return [...new Set([...policies, ...names])].filter((one) => typeof one === 'string').filter(isPolicyFile);
}

/**
 * Loads a policy from a JavaScript file, whose default export it is. The file is run as code, with all that the process
 * may do. It must be one file: its checksum stands for the policy in records and caches, and would not cover others.
 *
 * @param file - its path; as it is given here it goes into records.
 * @param sha256 - what its bytes must have as SHA-256, in hexadecimal.
 * @returns the policy, with its origin.
 * @throws InputError where the file cannot be read or run, is another one, or gives no policy.
 */
export async function loadPolicy(file: string, sha256?: string): Promise<PolicyDefinition> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code ?? String(error)})`;
    throw new InputError(`${file}: ${why}; --policy takes the name of a policy, or a JavaScript file`);
  });
  const ours = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== undefined && ours !== sha256)
    throw new InputError(`${file}: is another policy than the settings name: SHA-256 ${ours}, not ${sha256}`);
  const imported = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{0,2}\/[^'"]*)['"]/.exec(bytes.toString());
  if (imported !== null)
    throw new InputError(`${file}: imports ${imported[1]}, and a policy must be one file, which its checksum covers`);
  const module = await run(file, ours);
  if (module.default === undefined)
    throw new InputError(`${file}: has no default export; a policy's file ends in export default definePolicy({ ... })`);
  try {
    return Object.freeze({ ...definePolicy(module.default as PolicyDefinition), origin: { file, sha256: ours } });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${file}: ${error.message}`, { field: error.field });
  }
}

/** Under its checksum, so that a file that has changed is another module. */
async function run(file: string, sha256: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(`${pathToFileURL(resolve(file)).href}?${sha256}`)) as { readonly default?: unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new InputError(`${file}: cannot be run as a policy: ${message.replace(/\s+/g, ' ')}`, { cause: error });
  }
}
