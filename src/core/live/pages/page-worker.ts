import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../../base/threads/index.ts';
import type { LiveSettings } from '../settings.ts';
import { packed, type RawPage } from './page.ts';
import { PageReader } from './read-page.ts';

const reader = new PageReader(workerData as LiveSettings);

export default poolWorker((raws: readonly RawPage[]) => raws.map((raw) => packed(reader.read(raw))));
