import { answerOwner } from '../../../base/threads/index.ts';
import type { RecordsMade, ToRecord } from './record-thread.ts';
import { compressedRecords } from './warc-records.ts';

answerOwner((answers: readonly ToRecord[]): RecordsMade => {
  const records = answers.map(({ answer, atMs }) => compressedRecords(answer, atMs));
  let end = 0;
  return { bytes: Buffer.concat(records), ends: records.map(({ length }) => (end += length)) };
});
