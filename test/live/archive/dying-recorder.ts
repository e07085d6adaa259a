import { answerOwner } from '../../../src/base/threads/index.ts';
import { compressedRecords } from '../../../src/core/live/archive/warc-records.ts';
import type { RecordsMade, ToRecord } from '../../../src/core/live/archive/record-thread.ts';

/** Makes records until it is to do what a URL says. */
answerOwner((answers: readonly ToRecord[]): RecordsMade => {
  const records = answers.map(({ answer, atMs }) => {
    if (answer.url.endsWith('/exit')) process.exit(3);
    if (answer.url.endsWith('/throw')) throw new RangeError('too long');
    return compressedRecords(answer, atMs);
  });
  let end = 0;
  return { bytes: Buffer.concat(records), ends: records.map(({ length }) => (end += length)) };
});
