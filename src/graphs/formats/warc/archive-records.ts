import { InputError } from '../../../base/index.ts';
import { archiveBytes, RecordParser, type WarcRecord } from '../../../base/web/index.ts';
import type { WarcOptions } from '../read-options.ts';
import { refuseUnread } from '../unread-formats.ts';

export const RECORD_LIMIT_BYTES = 1 << 24;

/** Number of errors per file that are reported individually. */
const FAULTS_SHOWN = 5;

interface RecordsOptions extends Pick<WarcOptions, 'recordLimitBytes' | 'expansionLimit' | 'onBytes'> {
  /** Types of records, in lower case, whose blocks are read; other blocks are empty. */
  readonly types: readonly string[];
  /** Called with one line of text for each of the first damaged parts, which are left out, and for their number. */
  readonly onFault: (fault: string) => void;
  /** The position where reading ends, as if the file did. */
  readonly endBytes?: number | undefined;
}

/**
 * The records of a WARC or WAT archive, plain or gzipped, in order. Damaged parts are skipped and reported.
 *
 * @param onRecord - its record's block is valid until it returns; it returns the fault of the record, if any.
 * @returns the position in the file, bytes as stored, after each piece of it: records are read as fast as these are
 * taken.
 * @throws InputError if the file cannot be read, is an ARC file, or contains no record.
 */
export async function* archiveRecords(
  path: string, options: RecordsOptions, onRecord: (record: WarcRecord) => string | undefined,
): AsyncGenerator<number, void, void> {
  let faults = 0;
  let firstFault = '';
  let records = 0;
  const onFault = (where: string, what: string): void => {
    firstFault ||= `: ${where}: ${what}`;
    if (faults++ < FAULTS_SHOWN) options.onFault(`${path}: ${where}: ${what}`);
  };
  const parser = new RecordParser({
    keeps: (type) => options.types.includes(type),
    onRecord(record) {
      records++;
      const fault = onRecord(record);
      if (fault !== undefined) onFault(record.where, fault);
    },
    onFault,
    blockLimitBytes: options.recordLimitBytes ?? RECORD_LIMIT_BYTES,
  });
  let isFirst = true;
  let bytes = 0;
  for await (const piece of archiveBytes(path, options.expansionLimit, options.endBytes)) {
    if ('fault' in piece) {
      onFault(`byte ${piece.memberAt}`, piece.fault);
      parser.drop();
      continue;
    }
    if (isFirst) refuseUnread(piece.bytes, path);
    isFirst = false;
    if (piece.first && piece.plainBytes !== undefined) parser.startPlain(piece.plainBytes);
    else if (piece.first) parser.startMember(piece.memberAt, piece.bytes);
    options.onBytes?.(path, (bytes += piece.bytes.length));
    parser.push(piece.bytes);
    yield piece.plainBytes === undefined ? piece.memberAt : bytes;
  }
  parser.finish();
  if (faults > FAULTS_SHOWN) options.onFault(`${path}: ${faults - FAULTS_SHOWN} more faults like these`);
  if (records === 0) throw new InputError(`${path}: contains no WARC record that can be read${firstFault}`);
}
