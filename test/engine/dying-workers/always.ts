import type { Experiment } from '../../../src/settings/experiment.ts';
import run from '../../../src/study/run/worker.ts';

/** A worker of studies whose thread ends in each run with policy random and seed 2. */
export default (experiment: Experiment | null) => {
  if (experiment?.policy === 'random' && experiment.seed === 2) process.exit(7);
  return run(experiment);
};
