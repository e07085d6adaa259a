import { answerOwner, remarkToOwner } from '../../../src/base/threads/index.ts';
import { answerTo } from './answers.ts';

remarkToOwner('before the first question');
answerOwner(answerTo);
