import { workerData } from 'piscina';
import type { LiveSettings } from '../settings.ts';
import { packed, type PackedRead } from './packed-read.ts';
import type { RawPage } from './page.ts';
import { PageReader } from './read-page.ts';

const reader = new PageReader(workerData as LiveSettings);

/** Undefined is asked to see that the thread has started. */
export default (raws: readonly RawPage[] | undefined): PackedRead[] | undefined => raws?.map((raw) => packed(reader.read(raw)));
