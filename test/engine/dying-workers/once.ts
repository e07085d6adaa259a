import { existsSync, writeFileSync } from 'node:fs';
import type { Experiment } from '../../../src/settings/experiment.ts';
import run from '../../../src/study/run/worker.ts';

/**
 * A worker of studies whose thread ends, as one out of memory does, in the first run that it has with policy random and
 * seed 2.
 */
export default (experiment: Experiment | null) => {
  const mark = process.env['ORBWEAVER_TEST_DEATH']!;
  if (experiment?.policy === 'random' && experiment.seed === 2 && !existsSync(mark)) {
    writeFileSync(mark, '');
    process.exit(7);
  }
  return run(experiment);
};
