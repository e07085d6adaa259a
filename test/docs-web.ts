import { openGraph } from '../src/catalogue/index.ts';
import { trueRanks } from '../src/engine/index.ts';

/** The stored graph of this project, opened once for all tests of a process: they only read it. */
export const docsWeb = await openGraph('docs-web');
export const docsWebRanks = trueRanks(docsWeb);
