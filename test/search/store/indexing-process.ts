import { IndexWriter } from '../../../src/search/index.ts';
import { anyPages } from '../any-pages.ts';

// A process that indexes pages, and reports each step on a line of its own: path, seed, pages, pages per commit.

const [path, ...numbers] = process.argv.slice(2);
const [seed, count, perCommit] = numbers.map(Number);
const report = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const writer = await IndexWriter.open(path, { segments: 2 });
report(`opened ${writer.pages}`);
for (const [i, page] of anyPages(seed, count).entries()) {
  if (!writer.add(page) || i % perCommit > 0) continue;
  // With postings, or without, which are made again.
  writer.commit(i % (3 * perCommit) === 0 ? 0 : Infinity);
  report(`committed ${writer.pages}`);
  if (i % (4 * perCommit) > 0) continue;
  writer.finish(({ step }) => { report(step); });
  report('finished');
}
writer.finish(({ step }) => { report(step); });
writer.close();
report('done');
