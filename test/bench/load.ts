import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { alternate, type BenchReport, type Side } from '../../src/questions/bench/index.ts';
import { compileCpp } from '../../src/questions/bench/peers/cpp-program.ts';
import { readBvGraph, readEdgeList, readOwg, writeBvGraph, writeOwg } from '../../src/graphs/formats/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';

const unit = 'ns an arc';

/**
 * Opening one graph from a text of its links, the same gzipped, a BVGraph and a stored graph, all from the system's
 * cache, beside a loop over the text's bytes in C++ that only parses, and one that makes rows too, as every reader of
 * ours does; ours also checks what it reads, finds the ids that there are, and draws hosts. Every side must give the
 * arcs of the graph.
 */
export async function benchLoad(graph: WebGraph, rounds: number): Promise<BenchReport> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-load-'));
  const program = await compileCpp('edge-list.cpp');
  try {
    const at = (name: string): string => join(folder, name);
    await writeText(graph, at('links.txt'));
    await pipeline(createReadStream(at('links.txt')), createGzip({ level: 1 }), createWriteStream(at('links.txt.gz')));
    await writeBvGraph(graph, at('links'));
    await writeOwg(graph, at('links.owg'));

    const nanoseconds = (what: string, seconds: number, arcs: number): number => {
      if (arcs !== graph.arcs) throw new Error(`${what} has ${arcs} arcs, not ${graph.arcs}`);
      return (1e9 * seconds) / arcs;
    };
    const ours = async (name: string, file: string, read: (path: string) => Promise<WebGraph>): Promise<Side> => ({
      name: `${name}, ${(await stat(at(file))).size} bytes`,
      measuresIn: unit,
      run: async () => {
        const before = performance.now();
        const { arcs } = await read(at(file));
        return nanoseconds(name, (performance.now() - before) / 1000, arcs);
      },
    });
    const native = (mode: 'parse' | 'rows'): Side[] => (typeof program === 'string' ? [] : [{
      name: mode === 'parse' ? 'C++, parsing alone' : 'C++, parsing and making rows',
      measuresIn: unit,
      run: async () => {
        const { seconds, arcs } = (await program.run([mode, at('links.txt')])) as { seconds: number; arcs: number };
        return nanoseconds(mode, seconds, arcs);
      },
    }]);
    if (typeof program === 'string') console.error(`the loop in C++ is left out: ${program}`);
    return await alternate(
      [
        await ours('text', 'links.txt', readEdgeList),
        ...native('parse'),
        ...native('rows'),
        await ours('text, gzipped', 'links.txt.gz', readEdgeList),
        await ours('BVGraph', 'links.graph', readBvGraph),
        await ours('stored graph', 'links.owg', readOwg),
      ],
      rounds,
    );
  } finally {
    if (typeof program !== 'string') await program.remove();
    await rm(folder, { recursive: true });
  }
}

async function writeText({ pages, outOffsets, outTargets }: WebGraph, path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    let lines: string[] = [];
    for (let page = 0; page < pages; page++) {
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) lines.push(`${page}\t${outTargets[i]}\n`);
      if (lines.length < 100_000 && page < pages - 1) continue;
      await file.write(lines.join(''));
      lines = [];
    }
  } finally {
    await file.close();
  }
}
