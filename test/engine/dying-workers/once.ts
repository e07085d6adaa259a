import { existsSync, writeFileSync } from 'node:fs';
import type { StudyTask } from '../../../src/questions/study/run/one-run.ts';
import run from '../../../src/questions/study/run/worker.ts';

/**
 * A worker of studies whose thread ends, as one out of memory does, in the first run that it has with policy random and
 * seed 2.
 */
export default (task: StudyTask | null) => {
  const mark = process.env['ORBWEAVER_TEST_DEATH']!;
  if (task?.experiment.policy === 'random' && task.experiment.seed === 2 && !existsSync(mark)) {
    writeFileSync(mark, '');
    process.exit(7);
  }
  return run(task);
};
