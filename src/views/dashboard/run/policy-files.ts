import type { StartedRun } from '../../watch/contract.ts';

/** A file with a policy, as the record of a run names it. */
export interface RecordedPolicy {
  readonly file: string;
  /** Hexadecimal digits. */
  readonly sha256: string;
}

/** The files of the policies of a run, as far as its settings say. */
export function policyFilesOf(run: Pick<StartedRun, 'settings'> | null): RecordedPolicy[] {
  const policies = run?.settings['userPolicies'];
  return !Array.isArray(policies) ? [] : policies.filter(isRecorded).map(({ file, sha256 }) => ({ file, sha256 }));
}

function isRecorded(policy: unknown): policy is RecordedPolicy {
  const { file, sha256 } = (policy ?? {}) as Partial<RecordedPolicy>;
  return typeof file === 'string' && typeof sha256 === 'string';
}
