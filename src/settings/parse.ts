import { z } from 'zod';
import { InputError } from '../base/index.ts';
import {
  experimentSchema, liveCrawlSchema, type Experiment, type ExperimentInput, type LiveCrawlInput,
  type LiveCrawlSettings,
} from './experiment.ts';

/**
 * Checks an experiment and fills in its defaults. Throws InputError naming each field, its value and what is allowed.
 */
export function parseExperiment(input: ExperimentInput): Experiment {
  return parsed(experimentSchema, input);
}

/** The same of what a live crawl shares with a simulation. */
export function parseLiveCrawl(input: LiveCrawlInput): LiveCrawlSettings {
  return parsed(liveCrawlSchema, input);
}

function parsed<S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const field = ['experiment', ...issue.path].join('.');
    const given = issue.input === undefined ? '' : ` (given: ${JSON.stringify(issue.input)})`;
    return `${field}: ${issue.message}${given}`;
  });
  throw new InputError(problems.join('; ') || z.prettifyError(result.error));
}
