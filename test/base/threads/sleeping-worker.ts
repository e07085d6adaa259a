import { workerData } from 'node:worker_threads';
import { answerOwner, barrier } from '../../../src/base/threads/index.ts';

const { memory, threads, breaks } = workerData as {
  memory: SharedArrayBuffer;
  threads: number;
  breaks: string | undefined;
};
const meet = barrier(memory, threads);

/** Meets the other threads; the one that `breaks` names a way for does not come. */
answerOwner((number: number) => {
  if (breaks === 'throw') throw new RangeError('no barrier');
  if (breaks === 'exit') process.exit(7);
  meet();
  return number + 1;
});
