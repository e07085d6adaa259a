import * as z from 'zod';
import { whole } from './ranges.ts';

/** A day: longer is a block. */
export const maxHostDelayMs = 86_400_000;

/** The changes of a steered run, as run.json has them. */
export const changesSchema = z.array(z.strictObject({
  superstep: z.int().min(0),
  processor: whole(4095),
  observed: z.int().min(0),
  setting: z.enum(['robots', 'paused', 'hostDelayMs', 'hostBlocked', 'stop']),
  value: whole(maxHostDelayMs),
  host: whole(2 ** 32 - 1).optional(),
}).refine(({ setting, value, host }) => (
  setting.startsWith('host') ? host !== undefined : host === undefined && value <= 65_536
), 'a change of a host has its id, others have none'));
