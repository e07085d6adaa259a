import { openGraph } from '../src/graphs/catalogue/index.ts';
import { trueRanks } from '../src/core/engine/index.ts';
import { prepare } from '../src/graphs/graph/index.ts';

/** The stored graph of this project, opened once for all tests of a process: they only read it. */
export const docsWeb = await openGraph('docs-web');
/** The same, with what the runs on it have in common. */
export const docsWebPrepared = prepare(docsWeb);
export const docsWebRanks = trueRanks(docsWebPrepared);
