import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { AGENT, htmlLinks, htmlText } from '../../../src/base/web/index.ts';

/** Files that a thread is given at once. */
const FILES = 16;

/** Reads HTML files on all threads, as pages that are indexed are read, and leaves it at that. */
function main(paths: readonly string[], threads: number): void {
  let next = 0;
  for (let thread = 0; thread < threads; thread++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: thread });
    const give = (): void => { worker.postMessage(paths.slice(next, next += FILES)); };
    worker.on('message', () => {
      if (next < paths.length) give();
      else void worker.terminate();
    });
    give();
  }
}

if (isMainThread) {
  const { paths, threads } = JSON.parse(readFileSync(process.argv[2], 'utf8')) as { paths: string[]; threads: number };
  main(paths, threads);
} else if (typeof workerData === 'number') {
  parentPort?.on('message', (paths: readonly string[]) => {
    let chars = 0;
    for (const path of paths) {
      const found = htmlLinks(htmlText(readFileSync(path), undefined).text, { agent: AGENT, most: 50_000, text: true });
      chars += found.text!.lines.length;
    }
    parentPort?.postMessage(chars);
  });
}
