import * as z from 'zod';

/** An integer from 1 to `most`. */
export const count = (most: number) => z.int().min(1).max(most);
/** An integer from 0 to `most`. */
export const whole = (most: number) => z.int().min(0).max(most);
/** A number from 0 to `most`. */
export const amount = (most: number) => z.number().min(0).max(most);
/** A number from `least` to `most`. */
export const between = (least: number, most: number) => z.number().min(least).max(most);
/** A part of a whole. */
export const share = () => amount(1).default(0);
/** SHA-256 in hexadecimal. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
