import { z } from 'zod';
import { InputError } from '../base/index.ts';
import { experimentSchema, type Experiment, type ExperimentInput } from './schema.ts';

/**
 * Checks an experiment and fills in its defaults. Throws InputError naming each field, its value and what is allowed.
 */
export function parseExperiment(input: ExperimentInput): Experiment {
  const parsed = experimentSchema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const field = ['experiment', ...issue.path].join('.');
    const given = issue.input === undefined ? '' : ` (given: ${JSON.stringify(issue.input)})`;
    return `${field}: ${issue.message}${given}`;
  });
  throw new InputError(problems.join('; ') || z.prettifyError(parsed.error));
}
