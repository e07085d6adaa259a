import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { InputError } from '../../../../base/index.ts';
import { checkOwnFile } from '../runs/record-files.ts';
import type { GraphNode } from './api.ts';
import { isAboutPage } from '../../../../core/world/index.ts';

const PIECE_BYTES = 1 << 20;
const MAX_LINE_BYTES = 1 << 20;
/** The kind of an outcome and the host of its URL, in a line of `crawl.log`. */
const line = /^\S+ +\S+ +\d+ +(\w+) +\d+ [a-z]+:\/\/([^\s/?#]+)/;

interface LoggedHost {
  fetched: number;
  failures: number;
}

/**
 * The hosts that a `crawl.log` names, with their outcomes: all that can be read of the hosts of a live crawl that goes
 * on, whose store another process has open. Reads what was added since the last time.
 *
 * Memory   O(hosts).
 */
export class LoggedHosts {
  readonly path: string;
  readonly #hosts = new Map<string, LoggedHost>();
  #position = 0;
  /** The beginning of a line that was not written whole. */
  #rest = '';

  constructor(path: string) {
    this.path = path;
  }

  /** @throws InputError if the log cannot be read. */
  async read(): Promise<void> {
    checkOwnFile(dirname(this.path), basename(this.path));
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    try {
      const file = await open(this.path);
      try {
        for (;;) {
          const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, this.#position);
          if (bytesRead === 0) return;
          this.#position += bytesRead;
          this.#add(piece.toString('latin1', 0, bytesRead));
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(`${this.path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
    }
  }

  /** The hosts, sorted by their first contact. @param processorOf - takes the name of a host. */
  nodes(processorOf: (name: string) => number): GraphNode[] {
    return [...this.#hosts].map(([name, { fetched, failures }], id): GraphNode => ({
      id, name, processor: processorOf(name), pages: null, known: null, fetched: [fetched], failures, since: 0,
      linksIn: null, linksOut: null,
    }));
  }

  #add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    if (this.#rest.length > MAX_LINE_BYTES)
      throw new InputError(`${this.path}: has a line of over 1 MB; it is damaged`);
    for (const text of lines) {
      const match = line.exec(text);
      if (match === null) continue;
      const [, kind, name] = match;
      if (!isAboutPage(kind)) continue;
      const host = this.#hosts.get(name) ?? { fetched: 0, failures: 0 };
      this.#hosts.set(name, host);
      if (kind === 'fetched') host.fetched++;
      else host.failures++;
    }
  }
}
