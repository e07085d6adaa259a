import { poolWorker } from '../../../src/std/threads/index.ts';
import { answerTo } from './answers.ts';

export default poolWorker(answerTo);
