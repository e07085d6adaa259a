import type { StudyTask } from '../../../src/questions/study/run/one-run.ts';
import run from '../../../src/questions/study/run/worker.ts';

/** A worker of studies whose thread ends in each run with policy random and seed 2. */
export default (task: StudyTask | null) => {
  if (task?.experiment.policy === 'random' && task.experiment.seed === 2) process.exit(7);
  return run(task);
};
