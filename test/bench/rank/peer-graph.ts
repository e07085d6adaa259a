import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transpose, type WebGraph } from '../../../src/graphs/graph/index.ts';

/**
 * A graph in a temporary file in the form that GAPBS calls serialized (.sg): directed, arcs and pages as int64; then
 * pages + 1 offsets as int64 and the targets as int32, and the same of the sources that link to each page.
 */
export class PeerGraph {
  readonly #folder = mkdtempSync(join(tmpdir(), 'orbweaver-peer-'));
  readonly file = join(this.#folder, 'graph.sg');
  /** Where a peer may write its ranks. */
  readonly ranksFile = join(this.#folder, 'ranks');

  /** dispose() removes the file. */
  constructor(graph: WebGraph) {
    const { inOffsets, inSources } = transpose(graph);
    const fd = openSync(this.file, 'w');
    try {
      const head = new DataView(new ArrayBuffer(17));
      head.setUint8(0, 1);
      head.setBigInt64(1, BigInt(graph.arcs), true);
      head.setBigInt64(9, BigInt(graph.pages), true);
      writeSync(fd, head);
      for (const [offsets, lists] of [[graph.outOffsets, graph.outTargets], [inOffsets, inSources]]) {
        writeWhole(fd, new Uint8Array(BigInt64Array.from(offsets, BigInt).buffer));
        writeWhole(fd, new Uint8Array(lists.buffer, lists.byteOffset, lists.byteLength));
      }
    } finally {
      closeSync(fd);
    }
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, Math.min(bytes.length - at, 2 ** 28));
}
