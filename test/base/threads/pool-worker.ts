import { poolWorker } from '../../../src/base/threads/index.ts';
import { answerTo } from './answers.ts';

export default poolWorker(answerTo);
