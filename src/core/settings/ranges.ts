import * as z from 'zod';

/** An integer from 1 to `most`. */
export const count = (most: number) => z.int().min(1).max(most);
/** A number from 0 to `most`. */
export const amount = (most: number) => z.number().min(0).max(most);
/** A part of a whole. */
export const share = () => z.number().min(0).max(1).default(0);
