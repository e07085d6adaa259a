import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../../base/index.ts';
import { writeError } from '../../../base/files/index.ts';
import type { Change, Crash, SuperstepRow } from '../../events/index.ts';
import { CsvWriter, readCsv } from './csv.ts';
import {
  failureColumns, laterColumns, recordedKinds, superstepColumns, type Failure, type RunEvents,
} from './events.ts';
import { littleEndian, readBytes, readNumbers } from './numbers.ts';
import type { RunOrigin } from './record.ts';
import type { RunHeader, RunRecord } from './run-record.ts';
import type { OutcomeBatch, Settled } from './total-order.ts';

/** Files that only the record of a run under way has. */
export const STARTED_FILE = 'started.json';
export const JOURNAL_FILE = 'journal.jsonl';

/** Folder, within a live crawl's folder, for the record of its current session. */
export const recordPartial = 'record.partial';

/** A line of the journal: all files hold at least this when it is there. Counts are of the whole run so far. */
export interface JournalLine {
  /** The last superstep that is in the record. */
  readonly superstep: number;
  readonly fetched: number;
  readonly failures: number;
  /** Lengths of `failures.csv` and `supersteps.csv`. */
  readonly failuresBytes: number;
  readonly superstepsBytes: number;
  /**
   * Outcomes that are no part of a run which ends with this superstep, counted from the last outcome before those that
   * came with this line. Absent where there are none.
   */
  readonly unobserved?: readonly number[] | undefined;
  /** Since the line before. Absent where there are none. */
  readonly crashes?: readonly Crash[] | undefined;
  readonly changes?: readonly Change[] | undefined;
}

/** Pages gathered before they are written: 20 bytes each. */
const chunkPages = 4096;

/**
 * The record of a run in a folder, written superstep by superstep: the files of a finished record but run.json and the
 * report, beside `started.json` and `journal.jsonl`. The journal gets a line when all else that a superstep brought is
 * written, so a record that was cut anywhere reads up to a whole superstep (`readIncomplete`). Nothing is flushed to
 * the disk itself: the files outlive the process, not the machine. Memory: some 300 KB, and the crashes.
 *
 * Errors   InputError where the folder cannot be written, WorldError where the disk is full or fails. After one nothing
 *          more is written: what there is stays readable.
 */
export class DiskRecord implements RunRecord {
  readonly #origin: RunOrigin;
  readonly #files: Record<'started' | 'journal' | 'order' | 'times' | 'failures' | 'supersteps', OpenFile>;
  readonly #order = new Uint32Array(chunkPages);
  readonly #times = new Float64Array(2 * chunkPages);
  readonly #failures: CsvWriter<Failure>;
  readonly #rows: CsvWriter<SuperstepRow>;
  #processorOf: ((page: number) => number) | undefined;
  /** Pages in the chunk. */
  #gathered = 0;
  #fetched = 0;
  #failed = 0;
  readonly #crashes: Crash[] = [];
  readonly #changes: Change[] = [];
  #journaledCrashes = 0;
  #journaledChanges = 0;
  /** Outcomes in the record at the last line of the journal. */
  #journaled = 0;
  #supersteps = 0;
  #hasFailed = false;

  /** Opens all files at once, so that a folder that cannot be written is found before the run. */
  constructor(folder: string, origin: RunOrigin) {
    this.#origin = origin;
    const open = (name: string): OpenFile => new OpenFile(join(folder, name));
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      throw writeError(folder, error);
    }
    // The journal is the first to go: without it the files that an earlier run left mean nothing.
    const [journal, started] = [open(JOURNAL_FILE), open(STARTED_FILE)];
    this.#files = {
      journal, started, order: open('order.u32'), times: open('times.f64'), failures: open('failures.csv'),
      supersteps: open('supersteps.csv'),
    };
    const { failures, supersteps } = this.#files;
    this.#failures = new CsvWriter(failureColumns, (bytes) => { failures.append(bytes); });
    this.#rows = new CsvWriter(superstepColumns, (bytes) => { supersteps.append(bytes); });
  }

  /** Supersteps that it can be read up to. */
  get supersteps(): number {
    return this.#supersteps;
  }

  begin(header: RunHeader, processorOf: (page: number) => number): void {
    this.#processorOf = processorOf;
    this.#files.started.append(Buffer.from(`${JSON.stringify({ ...header, ...this.#origin }, null, 2)}\n`));
  }

  settled(settled: Settled): void {
    if (this.#hasFailed) return;
    try {
      this.#write(settled);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  #write({ outcomes, rows, crashes, changes, unobserved }: Settled): void {
    const position = this.#fetched + this.#failed;
    this.#add(outcomes);
    for (const row of rows) this.#rows.add(row);
    for (const crash of crashes) this.#crashes.push(crash);
    for (const change of changes) this.#changes.push(change);
    const last = rows.at(-1);
    // Outcomes without rows belong to the superstep that comes.
    if (last === undefined) return;
    this.#flush();
    const newCrashes = this.#crashes.slice(this.#journaledCrashes);
    const newChanges = this.#changes.slice(this.#journaledChanges);
    const line: JournalLine = {
      superstep: last.superstep, fetched: this.#fetched, failures: this.#failed,
      failuresBytes: this.#files.failures.bytes, superstepsBytes: this.#files.supersteps.bytes,
      ...(unobserved.length > 0 && { unobserved: unobserved.map((at) => position + at - this.#journaled) }),
      ...(newCrashes.length > 0 && { crashes: newCrashes }),
      ...(newChanges.length > 0 && { changes: newChanges }),
    };
    this.#files.journal.append(Buffer.from(`${JSON.stringify(line)}\n`));
    this.#journaledCrashes = this.#crashes.length;
    this.#journaledChanges = this.#changes.length;
    this.#journaled = this.#fetched + this.#failed;
    this.#supersteps = last.superstep + 1;
  }

  #add({ size, pages, processors, kinds, times }: OutcomeBatch): void {
    const processorOf = this.#processorOf;
    assert(processorOf !== undefined, 'the record has not begun');
    const [order, pageTimes] = [this.#order, this.#times];
    for (let i = 0; i < size; i++) {
      const [page, processor] = [pages[i], processors[i]];
      if (kinds[i] !== 0) {
        this.#failures.add({
          position: this.#fetched + this.#failed, processor, page, kind: recordedKinds[kinds[i]],
          startedUs: times[2 * i], finishedUs: times[2 * i + 1],
        });
        this.#failed++;
        continue;
      }
      // The files do not name processors: whoever reads them back goes by the page.
      if (processorOf(page) !== processor) assert(false, `page ${page} was fetched by processor ${processor}`);
      if (this.#gathered === chunkPages) this.#flushPages();
      const at = this.#gathered++;
      order[at] = page;
      pageTimes[2 * at] = times[2 * i];
      pageTimes[2 * at + 1] = times[2 * i + 1];
      this.#fetched++;
    }
  }

  #flush(): void {
    this.#flushPages();
    this.#failures.flush();
    this.#rows.flush();
  }

  #flushPages(): void {
    this.#files.order.append(littleEndian(this.#order.subarray(0, this.#gathered)));
    this.#files.times.append(littleEndian(this.#times.subarray(0, 2 * this.#gathered)));
    this.#gathered = 0;
  }

  /** Read back from the files. */
  events(): RunEvents {
    const processorOf = this.#processorOf;
    assert(processorOf !== undefined, 'the record has not begun');
    this.#flush();
    const { order, times, failures, supersteps } = this.#files;
    const pages = readNumbers(order.file, order.path, new Uint32Array(this.#fetched));
    return {
      order: pages,
      processors: pages.map(processorOf),
      times: readNumbers(times.file, times.path, new Float64Array(2 * this.#fetched)),
      failures: readCsv<Failure>(failures.all(), failures.path, failureColumns, ['kind']),
      rows: readCsv<SuperstepRow>(supersteps.all(), supersteps.path, superstepColumns, [], laterColumns),
      crashes: this.#crashes,
      changes: this.#changes,
    };
  }

  /** The run's other files are written: what only a run under way needs goes. */
  complete(): void {
    this.close();
    // This order matters: without the journal the record counts as finished.
    for (const { path } of [this.#files.journal, this.#files.started]) rmSync(path);
  }

  close(): void {
    for (const file of Object.values(this.#files)) file.close();
  }
}

/** A file that grows. */
class OpenFile {
  readonly path: string;
  readonly file: number;
  bytes = 0;
  #isOpen = true;

  constructor(path: string) {
    this.path = path;
    try {
      this.file = openSync(path, 'w+');
    } catch (error) {
      throw writeError(path, error);
    }
  }

  append(bytes: Uint8Array): void {
    try {
      for (let offset = 0; offset < bytes.length;) offset += writeSync(this.file, bytes, offset, bytes.length - offset);
      this.bytes += bytes.length;
    } catch (error) {
      throw writeError(this.path, error);
    }
  }

  all(): Buffer {
    return readBytes(this.file, this.path, Buffer.allocUnsafe(this.bytes));
  }

  close(): void {
    if (this.#isOpen) closeSync(this.file);
    this.#isOpen = false;
  }
}
