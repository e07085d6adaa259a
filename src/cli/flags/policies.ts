import {
  loadPolicy, policyFilesIn, shippedPolicies, type PolicyDefinition, type PolicyRegistry,
} from '../../policy/index.ts';
import { checkUserPolicies, userPoliciesNamed } from '../../settings/index.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import type { RawFlags } from './flags.ts';

/** Loads policies from files, and reports that these are run as code. @throws as loadPolicy. */
export async function loadPolicies(files: readonly PolicyFile[]): Promise<PolicyDefinition[]> {
  const policies: PolicyDefinition[] = [];
  for (const { file, sha256 } of files) {
    remark(`policy ${printable(file)}: the file is run as code`);
    policies.push(await loadPolicy(file, sha256));
  }
  return policies;
}

/** The policies that `--weights` names, not validated yet. */
function weightsIn({ weights }: RawFlags): { readonly weights?: Readonly<Record<string, number>> } {
  if (typeof weights !== 'string') return {};
  return { weights: Object.fromEntries(weights.split(',').map((part) => [part.split('=')[0].trim(), 1])) };
}

interface PolicyFile {
  readonly file: string;
  readonly sha256?: string | undefined;
}

/**
 * The policies that a run can choose from: those that come with Orbweaver, and the files that its flags or the
 * settings in a file name. A flag wins over a setting.
 *
 * @param written the settings as written, in any form.
 * @throws as loadPolicy; InputError if a file's policy has a name that is in use.
 */
export async function policiesFor(raw: RawFlags, written: unknown = {}): Promise<PolicyRegistry> {
  const settings = { ...(written as { readonly policy?: unknown; readonly policyOptions?: object }) };
  const policy = raw['policy'] ?? settings.policy;
  const options = { ...settings.policyOptions, ...weightsIn(raw) };
  const files: PolicyFile[] = policyFilesIn([policy], Object.values(options)).map((file) => ({ file }));
  const choice = { ...settings, policy, policyOptions: options };
  for (const { file, sha256 } of userPoliciesNamed(choice))
    if (file !== undefined && !files.some((one) => one.file === file)) files.push({ file, sha256 });
  const policies = shippedPolicies.with(await loadPolicies(files));
  checkUserPolicies(policies.settings.policies, choice);
  return policies;
}
