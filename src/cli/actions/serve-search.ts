import { basename } from 'node:path';
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { counted } from '../text/figures.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { endSignal, listenAddress } from '../serving.ts';
import { printReady } from '../text/output.ts';
import { printable } from '../text/printable.ts';

const own = z.object({
  port: z.int().min(0).max(65_535).default(0),
  threads: z.int().min(1).max(256).default(availableParallelism()),
});

interface Flags extends RawFlags {
  readonly listen?: string;
  readonly name?: string;
  readonly json?: true;
}

export async function runServeSearch(path: string, flags: Flags): Promise<void> {
  const { port, threads } = ownFlags(own, flags);
  const address = listenAddress(flags.listen, 'the search');
  const [{ IndexSearcher }, { SearchServer }] =
    await Promise.all([import('../../search/index.ts'), import('../../views/service/search/index.ts')]);
  const name = flags.name ?? (basename(path).replace(/\.index$/, '') || path);
  const ended = endSignal();
  const searcher = new IndexSearcher(path, threads);
  try {
    // Before it listens: what is no index is refused at once.
    const { documents, pages } = await searcher.facts();
    const server = await SearchServer.listen({ searcher, name, address, port });
    try {
      printReady(flags.json, { url: server.url, documents, pages }, [
        `search of ${printable(path)}: ${counted(documents, 'document')} at ${counted(pages, 'URL')}`,
        `open ${server.url}`,
      ]);
      await ended;
    } finally {
      await server.close();
    }
  } finally {
    await searcher.close();
  }
}
