import type { FileHandle } from 'node:fs/promises';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { WebGraph } from '../../graph/index.ts';
import { idsOf, urlsOf, type LinkStoreOptions } from '../page-names.ts';
import { writeAll, writeFiles } from '../../base/files/index.ts';

/** Links per row group, the amount that the writer buffers. */
const GROUP_ROWS = 1 << 18;

/**
 * Stores the links of a graph as a table in Apache Parquet, columns `source` and `target`, compressed with Snappy:
 * unsigned 32-bit ids (those of the source, if it had others), or URLs.
 *
 * Errors   those of writeFiles; InputError if URLs are requested and there are none.
 * Cost     O(links); memory: one row group of 262,144 links.
 */
export async function writeParquet(graph: WebGraph, path: string, options: LinkStoreOptions = {}): Promise<void> {
  const columns = options.urls === true ? textColumns(graph) : idColumns(graph);
  await writeFiles([path], async ([file]) => {
    const writer = new FileWriter(file);
    const table = new ParquetWriter({
      writer,
      createdBy: 'orbweaver',
      // The library orders unsigned numbers as signed ones, and no statistics are better than wrong ones.
      statistics: false,
      schema: [
        { name: 'links', num_children: 2 },
        { name: 'source', repetition_type: 'REQUIRED', ...columns.type },
        { name: 'target', repetition_type: 'REQUIRED', ...columns.type },
      ],
    });
    let page = 0;
    for (let from = 0; from < graph.arcs; from += GROUP_ROWS) {
      const to = Math.min(from + GROUP_ROWS, graph.arcs);
      const [source, target] = [columns.of(to - from), columns.of(to - from)];
      for (let arc = from; arc < to; arc++) {
        while (graph.outOffsets[page + 1] <= arc) page++;
        columns.set(source, arc - from, page);
        columns.set(target, arc - from, graph.outTargets[arc]);
      }
      await table.write({
        columnData: [
          { name: 'source', data: source }, { name: 'target', data: target },
        ],
        rowGroupSize: GROUP_ROWS,
      });
    }
    await table.finish();
    await writer.flush();
  });
}

type Column = Int32Array | number[] | string[];

interface Columns {
  readonly type: { type: 'INT32'; converted_type: 'UINT_32' } | { type: 'BYTE_ARRAY'; converted_type: 'UTF8' };
  readonly of: (rows: number) => Column;
  readonly set: (column: Column, row: number, page: number) => void;
}

function idColumns(graph: WebGraph): Columns {
  const idOf = idsOf(graph);
  // The library refuses numbers from 2^31 on in typed arrays, and accepts them in plain ones, which cost more.
  const isSmall = graph.pages === 0 || idOf(graph.pages - 1) < 2 ** 31;
  return {
    type: { type: 'INT32', converted_type: 'UINT_32' },
    of: (rows) => (isSmall ? new Int32Array(rows) : new Array<number>(rows)),
    set: (column, row, page) => (column[row] = idOf(page)),
  };
}

function textColumns(graph: WebGraph): Columns {
  const urlOf = urlsOf(graph);
  return {
    type: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    of: (rows) => new Array<string>(rows),
    set: (column, row, page) => (column[row] = urlOf(page)),
  };
}

/** Writes the output to a file after each row group. */
class FileWriter extends ByteWriter {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    super(1 << 20);
    this.#file = file;
  }

  async flush(): Promise<void> {
    await writeAll(this.#file, this.getBytes());
    this.index = 0;
  }
}
