/** Numbers of records in a node's stream: one when it is ready, two for each superstep, and one at the end. */
export const readySeq = 1;
export const arrivalSeq = (superstep: number): number => 10 + 2 * superstep;
/** The record at its barrier: settled, or revived after a crash. */
export const settledSeq = (superstep: number): number => 11 + 2 * superstep;
/** After any superstep. */
export const resultSeq = 1e15;
