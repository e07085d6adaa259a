import * as z from 'zod';
import { InputError } from '../../../base/index.ts';
import { limitKinds } from '../../../core/measure/index.ts';
import { hashSchema, ofForm, shortArray, type ReadRun } from '../../study/index.ts';
import { curvePoints, rounds, type TrialFigures, type TrialTask } from './trial.ts';

// What sums of ranks differ by, since they are sums of floating-point numbers.
const share = z.number().min(0).max(1.001);
const count = z.int().min(0);
const amount = z.number().min(0);

const trialSchema = z.strictObject({
  isReached: z.boolean(), seconds: amount, pages: count, bytes: amount, progress: share, progressAtHalf: share,
  rank: share, hosts: count, curve: shortArray(share, curvePoints), roundSeconds: shortArray(amount, rounds.length),
  simulatedPages: count, limits: z.string().max(10_000), limitKinds: shortArray(z.enum(limitKinds), limitKinds.length),
  ended: z.string().max(100), replayHash: hashSchema,
});

/**
 * A reader of trials, from the cache or from workers: each field has the form that this version gives it, and no
 * figure is beyond the graph. Whether a trial of this form is true, only its repetition shows.
 */
export function trialReader(pages: number, hosts: number): ReadRun<TrialTask, TrialFigures> {
  return (_task, value) => {
    const trial = ofForm(trialSchema, value);
    const check = (isSo: boolean, place: string): void => {
      if (!isSo) throw new InputError(`${place}: no trial on this graph has such a value`);
    };
    check(trial.simulatedPages <= pages, 'simulatedPages');
    check(trial.pages <= trial.simulatedPages, 'pages');
    check(trial.hosts <= hosts, 'hosts');
    check(trial.curve.length === curvePoints, 'curve');
    check(trial.roundSeconds.length === rounds.length, 'roundSeconds');
    return value as TrialFigures;
  };
}
