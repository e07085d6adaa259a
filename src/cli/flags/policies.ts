import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  loadPolicy, policyChecksum, policyFilesIn, shippedPolicies, type PolicyDefinition, type PolicyRegistry,
} from '../../core/policy/index.ts';
import { checkUserPolicies, isWeights, userPoliciesNamed } from '../../core/settings/index.ts';
import { InputError } from '../../base/index.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import type { RawFlags } from './flags.ts';

/** Loads policies from files, and reports that these are run as code. @throws as loadPolicy. */
export async function loadPolicies(files: readonly PolicyFile[]): Promise<PolicyDefinition[]> {
  const policies: PolicyDefinition[] = [];
  for (const { file, sha256 } of files) {
    // A file that cannot be read is refused before anything is said of it.
    await policyChecksum(file);
    remark(`policy ${printable(file)}: the file is run as code`);
    policies.push(await loadPolicy(file, sha256));
  }
  return policies;
}

/** Files that a message about a record names at most. */
const MAX_REFUSED = 3;

interface PolicyFile {
  readonly file: string;
  readonly sha256?: string | undefined;
}

/** Settings of a file in any form, and who wrote them. */
export interface WrittenSettings {
  readonly settings: unknown;
  /** The settings of the runs that a fork began as, which are run again. */
  readonly legs?: readonly unknown[];
  /** The file, if it is the record of a run: a stranger may have written it. Undefined for the user's own. */
  readonly record?: string | undefined;
}

interface Choice {
  readonly policy: unknown;
  readonly policyOptions: Readonly<Record<string, unknown>>;
  readonly userPolicies?: unknown;
}

/**
 * The policies that a run can choose from: those that come with Orbweaver, and the files that its flags or the
 * settings in a file name. A flag wins over a setting. What a record names is run only if a flag names it too, or with
 * `--trust`.
 *
 * @throws as loadPolicy; InputError if a file's policy has a name that is in use, or only a record names it.
 */
export async function policiesFor(raw: RawFlags, source: WrittenSettings = { settings: {} }): Promise<PolicyRegistry> {
  const { settings, legs = [], record } = source;
  const isRecord = record !== undefined;
  const ofFlags = filesIn(choiceOf(raw, {}, false));
  const choices = [choiceOf(raw, settings, isRecord), ...legs.map((leg) => choiceOf({}, leg, isRecord))];
  const unnamed = choices.flatMap(filesIn).filter(({ file }) => !ofFlags.some((other) => isSameFile(other.file, file)));
  const others = unnamed.filter(({ file }, i) => unnamed.findIndex((other) => isSameFile(other.file, file)) === i);
  if (isRecord && raw['trust'] !== true) await refuseAll(others, record);
  const policies = shippedPolicies.with(await loadPolicies([...ofFlags, ...others]));
  for (const choice of choices) checkUserPolicies(policies.settings.policies, choice);
  if (isRecord) remarkChanged(policies, filesIn(choiceOf({}, settings, isRecord)), record);
  return policies;
}

/**
 * What the flags, and else the settings, choose. Settings that a user wrote may have weights without a use; in a record
 * they are what a flag has left of its policy.
 */
function choiceOf(raw: RawFlags, settings: unknown, isRecord: boolean): Choice {
  const choice = { ...(settings as Partial<Choice> | null) };
  const policy = raw['policy'] ?? choice.policy;
  const options = isRecord && !mayHaveWeights(policy) ? {} : choice.policyOptions;
  return { ...choice, policy, policyOptions: { ...options, ...weightsIn(raw) } };
}

/** The policies that `--weights` names, not validated yet. */
function weightsIn({ weights }: RawFlags): { readonly weights?: Readonly<Record<string, number>> } {
  if (typeof weights !== 'string') return {};
  return { weights: Object.fromEntries(weights.split(',').map((part) => [part.split('=')[0].trim(), 1])) };
}

/** Whether a policy may be composed of others. A user's policy must be loaded to know. */
function mayHaveWeights(policy: unknown): boolean {
  const shipped = policy === undefined ? undefined : shippedPolicies.factsOf(policy);
  return shipped === undefined || Object.values(shipped.options).some(isWeights);
}

function filesIn(choice: Choice): PolicyFile[] {
  const { policy, policyOptions } = choice;
  const files: PolicyFile[] = policyFilesIn([policy], Object.values(policyOptions)).map((file) => ({ file }));
  for (const { file, sha256 } of userPoliciesNamed(choice))
    if (file !== undefined && !files.some((other) => other.file === file)) files.push({ file, sha256 });
  return files;
}

function isSameFile(file: string, other: string): boolean {
  return file === other || realPath(file) === realPath(other);
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

/** Refuses a record whose run needs files that the user did not name. */
async function refuseAll(files: readonly PolicyFile[], record: string): Promise<void> {
  if (files.length === 0) return;
  const lines: string[] = [];
  for (const { file, sha256 } of files.slice(0, MAX_REFUSED)) {
    lines.push(
      `${printable(record)}: names the policy file ${printable(file)}, which would be run as code, with all your ` +
        `rights; ${await checksumInWords(file, sha256)}. Name it yourself (--policy FILE), or trust the record (--trust)`,
    );
  }
  if (files.length > MAX_REFUSED) lines.push(`and ${files.length - MAX_REFUSED} more files`);
  throw new InputError(lines.join('\n'), { field: 'policy' });
}

/** @param recorded - the checksum in the record. */
async function checksumInWords(file: string, recorded: string | undefined): Promise<string> {
  try {
    const sha256 = await policyChecksum(file);
    const other = recorded === undefined || recorded === sha256 ? '' : `, not the ${printable(recorded)} of the record`;
    return `its SHA-256 is ${sha256}${other}`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `it cannot be read here${recorded === undefined ? '' : `; its SHA-256 was ${printable(recorded)}`}`;
  }
}

/** A flag may name what the record names, and the file may be another one by now. */
function remarkChanged(policies: PolicyRegistry, recorded: readonly PolicyFile[], record: string): void {
  for (const { origin } of policies.added) {
    const checksum = recorded.find(({ file }) => origin !== undefined && isSameFile(file, origin.file))?.sha256;
    if (origin === undefined || checksum === undefined || checksum === origin.sha256) continue;
    remark(
      `policy ${printable(origin.file)}: is not the file of ${printable(record)}: its SHA-256 is ${origin.sha256}, not ` +
        printable(checksum),
    );
  }
}
