import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneOfEach, partOf, sampled } from '../sweep.ts';
import { namesBelow, newFolder, orbweaver, orbweaverProcess, type Finished } from './command.ts';

// Goal: whatever is wrong with what a user gives, the command says so in one clear message, ends with exit code 2 and
// leaves nothing behind: no stack, nothing on standard output, no file. Method: one table; every row is run in this
// process, and the first of each command word in a process of its own besides. `F/` in a row stands for a folder of
// prepared files.

const files = newFolder();
const at = (name: string): string => join(files, name);
let prepared: string[];

beforeAll(async () => {
  await orbweaver(['import', 'clique', '--out', at('whole.owg')], files);
  await orbweaver(['import', 'clique', '--out', at('links.graph')], files);
  writeFileSync(at('cut.graph'), readFileSync(at('links.graph')).subarray(0, -1));
  writeFileSync(at('cut.properties'), readFileSync(at('links.properties')));
  writeFileSync(at('alone.properties'), readFileSync(at('links.properties')));
  const whole = readFileSync(at('whole.owg'));
  writeFileSync(at('truncated.owg'), whole.subarray(0, whole.length - 20));
  writeFileSync(at('header-only.owg'), whole.subarray(0, 40));
  const altered = Uint8Array.from(whole);
  altered[whole.length - 100] ^= 1;
  writeFileSync(at('altered.owg'), altered);
  // Bytes that no reader knows, the same in every run.
  writeFileSync(at('binary.dat'), Uint8Array.from({ length: 3000 }, (_, i) => (i * 151 + 128) % 256));
  writeFileSync(at('control.txt'), '0 1\n\u001b[31mred 2\n');
  writeFileSync(at('too-large.txt'), '0 1\n1 4294967296\n');
  writeFileSync(at('negative.txt'), '0 1\n1 2\n2 -1\n');
  writeFileSync(at('not-a-pair.txt'), '0 1\n1 2\n2 zero\n');
  writeFileSync(at('no-weight.txt'), '0 1 5\n1 2 heavy\n');
  writeFileSync(at('lying.mtx'), '%%MatrixMarket matrix coordinate pattern general\n10000000000 10000000000 1\n1 2\n');
  writeFileSync(at('cut.parquet'), 'PAR1\x15\0');
  writeFileSync(
    at('entities.gexf'),
    '<!DOCTYPE gexf [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><gexf><graph><nodes><node id="&b;"/></nodes></graph></gexf>',
  );
  writeFileSync(at('crossed.graphml'), '<graphml><graph>\n<node id="0"></graph></graphml>');
  writeFileSync(at('lying.dat'), '10000000000 3 1\n1 http://a.example/\n');
  writeFileSync(
    at('bomb.txt.gz'), gzipSync(Buffer.concat([Buffer.from('0 1\n'), Buffer.alloc(66 << 20, '#           \n')])),
  );
  mkdirSync(join(at('no-html'), 'below'), { recursive: true });
  writeFileSync(at('zero.mtx'), '%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n0 1\n');
  writeFileSync(at('vertices.txt'), '0\torg.example\n1\torg.example.www\n');
  writeFileSync(at('beyond.txt'), '0\t1\n1\t2\n');
  writeFileSync(at('hosts.tsv'), '1996|a.uk|b.uk\t1\n1996|a.uk\t1\n');
  writeFileSync(at('pairs.tsv'), 'http://a.org/\thttp://b.org/\nhttp://a.org/\n');
  writeFileSync(at('comments-only.txt'), '# no links\n');
  writeFileSync(at('empty.txt'), '');
  const links = Array.from({ length: 3000 }, (_, i) => `${i} ${(i * 7919) % 3000}`).join('\n');
  writeFileSync(at('cut.txt.gz'), gzipSync(links).subarray(0, 4000));
  writeFileSync(at('no-page.warc'), 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n');
  writeFileSync(at('cut.warc.gz'), gzipSync(readFileSync(at('no-page.warc'))).subarray(0, 40));
  writeFileSync(at('old.arc'), 'filedesc://old.arc 0.0.0.0 20080430204825 text/plain 75\n');
  mkdirSync(at('no-pages'));
  writeFileSync(join(files, 'no-pages', 'pages.tsv'), '#host\tpath\tbytes\n');
  writeFileSync(join(files, 'no-pages', 'arcs.tsv'), '#source\ttarget\n');
  mkdirSync(at('no-tables'));
  writeFileSync(join(files, 'no-tables', 'notes.txt'), 'mine\n');
  mkdirSync(at('mixed'));
  writeFileSync(join(files, 'mixed', 'run.json'), '{}\n');
  writeFileSync(join(files, 'mixed', 'thesis.tex'), 'mine\n');
  writeFileSync(at('in-the-way'), 'mine\n');
  writeFileSync(at('cut.f64'), new Uint8Array(47));
  writeFileSync(at('not-a-score.txt'), '1\ntwo\n');
  prepared = namesBelow(files);
});

afterAll(() => rmSync(files, { recursive: true }));

interface Row {
  readonly args: string;
  readonly says: RegExp;
}

const rows: readonly Row[] = [
  // Indexes.
  { args: 'index nowhere --out x.index', says: /^nowhere: / },
  { args: 'index F/no-tables --out x.index', says: /no-tables: is not a crawl, and contains neither WARC archives nor HTML files$/m },
  { args: 'index F/in-the-way --out x.index', says: /in-the-way: contains no WARC record that can be read/ },
  { args: 'index F/no-tables --out F/mixed', says: /^--out .*mixed: is a folder; name a file/ },
  { args: 'index F/no-tables --out no/x.index', says: /^--out no\/x\.index: cannot be written: no such folder/ },
  { args: 'index F/no-tables --out x.index --segments 0', says: /^--segments 0: must be at least 1/ },
  { args: 'index F/no-tables --out x.index --stop-words german', says: /^--stop-words german: / },

  // Settings of policies.
  { args: 'simulate clique --policy weighted', says: /^policy weighted needs weights of other policies/ },
  {
    args: 'simulate clique --policy weighted --weights opik=1',
    says: /^--weights opik=1: opik is not one of .*; did you mean opic\?$/m,
  },
  {
    args: 'simulate clique --policy weighted --weights opic',
    says: /^--weights opic: must be like opic=0\.7,depth-first=0\.3$/m,
  },
  { args: 'simulate clique --policy weighted --weights opic=-1', says: /^--weights opic=-1: must be more than 0$/m },
  {
    args: 'simulate clique --policy weighted --weights opic=1,backlink-count=1',
    says: /^weights of backlink-count and opic /,
  },
  { args: 'simulate clique --policy weighted --weights scores=1', says: /^--policy scores needs --scores <FILE>$/m },
  { args: 'simulate clique --policy compass --host-urls 0', says: /^--host-urls 0: must be at least 1$/m },
  // Graphs.
  {
    args: 'simulate nothing-there',
    says: /^no graph "nothing-there": there is no such file or folder, and the catalogue has .*docs-web/,
  },
  {
    args: 'simulate web-Google',
    says: /^web-Google: is a public graph that was not fetched yet; fetch it with: orbweaver datasets fetch web-Google$/m,
  },
  { args: 'datasets verify web-Google', says: /^"web-Google": no graph of this name was fetched to / },
  { args: 'datasets list --catalogue F/no-weight.txt', says: /no-weight\.txt: is not JSON: / },
  { args: 'simulate F/nothing.owg', says: /nothing\.owg.*no such file/ },
  { args: 'simulate docs-wbe', says: /no graph "docs-wbe".*the catalogue has docs-web/ },
  { args: 'simulate F/binary.dat', says: /binary\.dat: line 1: .*not a page id; expected two page ids/ },
  { args: 'simulate F/truncated.owg', says: /truncated\.owg: section [a-z-]+: is truncated: .* the file at \d+/ },
  { args: 'rank F/header-only.owg', says: /header-only\.owg: header: is truncated/ },
  {
    args: 'import F/no-page.warc',
    says: /no-page\.warc: no record is an HTTP response with a page \(records: 1 warcinfo\)/,
  },
  { args: 'simulate F/cut.warc.gz', says: /cut\.warc\.gz: contains no WARC record that can be read/ },
  { args: 'simulate F/old.arc', says: /old\.arc: is an ARC file, the format before WARC/ },
  {
    args: 'import F/no-page.warc F/negative.txt',
    says: /negative\.txt: is not in the format of \S+no-page\.warc \(WARC archive\)/,
  },
  { args: 'simulate F/altered.owg', says: /altered\.owg: section [a-z-]+: its checksum does not match/ },
  { args: 'info F/control.txt', says: /control\.txt: line 2: "\\x1b\[31mred".*is not a page id/ },
  { args: 'simulate F/too-large.txt', says: /too-large\.txt: line 2: page id 4294967296 is larger than 4294967295/ },
  { args: 'simulate F/negative.txt', says: /negative\.txt: line 3: page id -1 is negative/ },
  { args: 'import F/not-a-pair.txt', says: /not-a-pair\.txt: line 3: "zero" in "2 zero" is not a page id/ },
  {
    args: 'simulate F/no-weight.txt',
    says: /no-weight\.txt: line 2: "heavy" in "1 2 heavy" is not a number; expected two page ids/,
  },
  { args: 'info F/lying.mtx', says: /lying\.mtx: line 2: 10000000000 rows are more than 4294967294/ },
  { args: 'import F/zero.mtx', says: /zero\.mtx: line 4: page id 0: ids begin at 1/ },
  { args: 'info F/vertices.txt', says: /vertices\.txt: is a list of hosts without their links/ },
  {
    args: 'import F/beyond.txt F/vertices.txt',
    says: /beyond\.txt: line 2: page id 2 is not one of the 2 vertices of \S+vertices\.txt/,
  },
  { args: 'info F/hosts.tsv', says: /hosts\.tsv: line 2: expected year\|host\|host, a tab and a number of links/ },
  { args: 'info F/pairs.tsv', says: /pairs\.tsv: line 2: expected two names or URLs/ },
  { args: 'info F/cut.parquet', says: /cut\.parquet: is not a Parquet file, or is truncated/ },
  {
    args: 'info F/entities.gexf',
    says: /entities\.gexf: line 1: has a document type or entities, which are not supported/,
  },
  {
    args: 'info F/crossed.graphml',
    says: /crossed\.graphml: line 2: is not well-formed XML: unexpected close tag; expected the close tag of "node"/,
  },
  { args: 'info F/lying.dat', says: /lying\.dat: line 1: a graph has from 1 to 4294967294 pages: "10000000000 3 1"/ },
  {
    args: 'import F/bomb.txt.gz',
    says: /bomb\.txt\.gz: its gzip data grow more than 250 times: \d+ bytes became \d+\. Is it a gzip bomb\?/,
  },
  {
    args: 'import F/lying.mtx --format edges',
    says: /lying\.mtx: line 1: is a Matrix Market matrix, not an edge list/,
  },
  {
    args: 'info F/no-html',
    says: /no-html: contains no HTML file that can be read, nor pages\.tsv and arcs\.tsv, nor WARC archives or Parquet tables$/m,
  },
  { args: 'rank F/cut.txt.gz', says: /cut\.txt\.gz: its gzip data are truncated/ },
  { args: 'simulate F/comments-only.txt', says: /comments-only\.txt: contains no links/ },
  { args: 'simulate F/empty.txt', says: /empty\.txt: is empty/ },
  { args: 'simulate F/no-pages', says: /pages\.tsv: contains no pages/ },
  { args: 'info F/no-tables', says: /no-tables: contains no pages\.tsv/ },
  // Seed pages.
  { args: 'bench nothing', says: /unknown command 'nothing'; see orbweaver bench --help/ },
  { args: 'bench queues --graph docs-wbe', says: /no graph "docs-wbe".*the catalogue has docs-web/ },
  { args: 'bench queues --table-block 7', says: /^--table-block 7: must be at least 8$/m },
  {
    args: 'simulate clique --seed-page 6', says: /^--seed-page 6: is not a page of clique, whose page ids are 0 to 5$/m,
  },
  { args: 'simulate clique --seed-page -1', says: /^--seed-page -1: is not a page of clique/ },
  {
    args: 'simulate clique --seed-page http://a.example/',
    says: /^--seed-page http:\/\/a\.example\/: clique has no URLs: name a page id/,
  },
  {
    args: 'simulate docs-web --seed-page https://www.postgresql.exampel/',
    says: /has no host www\.postgresql\.exampel; did you mean www\.postgresql\.example\?/,
  },
  {
    args: 'simulate docs-web --seed-page www.rust.example/none.html',
    says: /host www\.rust\.example has no page \/none\.html among its \d+/,
  },
  { args: 'tune clique --seed-page 99', says: /^--seed-page 99: is not a page/ },
  // Settings.
  { args: 'simulate clique --processors 0', says: /^--processors 0: must be at least 1$/m },
  { args: 'simulate clique --processors 1e9', says: /^--processors 1e9: must be at most 4096$/m },
  { args: 'simulate clique --processors many', says: /^--processors many: must be a number$/m },
  { args: 'simulate clique --processors 1.5', says: /^--processors 1\.5: must be an integer$/m },
  { args: 'simulate clique --processors Infinity', says: /^--processors Infinity: must be a number$/m },
  { args: 'simulate clique --superstep-limit 0', says: /^--superstep-limit 0: must be at least 1$/m },
  { args: 'simulate clique --superstep-limit best', says: /^--superstep-limit best: must be a number or auto$/m },
  { args: 'simulate clique --robots 0', says: /^--robots 0: must be at least 1$/m },
  {
    args: 'simulate clique --policy pagrank',
    says: /^--policy pagrank: must be one of backlink-count, .*, weighted; did you mean pagerank\?$/m,
  },
  {
    args: 'simulate clique --queue quickheep',
    says: /^--queue quickheep: must be one of .*; did you mean quickheap\?$/m,
  },
  { args: 'simulate clique --partition host-has', says: /^--partition host-has: .*did you mean host-hash\?$/m },
  {
    args: 'simulate clique --network hostil',
    says: /^--network hostil: must be one of lan, broadband, web, hostile; did you mean hostile\?$/m,
  },
  {
    args: 'simulate clique --bandwidth-model liquid',
    says: /^--bandwidth-model liquid: must be one of fixed, fluid; did you mean fluid\?$/m,
  },
  {
    args: 'simulate clique --timeout-share 0.6 --refused-share 0.5',
    says: /^--timeout-share 0\.6: shares of server errors, .* must sum to at most 1, not 1\.1$/m,
  },
  { args: 'simulate clique --network hostile --not-found-share 2', says: /^--not-found-share 2: must be at most 1$/m },
  { args: 'simulate clique --superstep-ms -1', says: /^--superstep-ms -1: must be at least 0$/m },
  { args: 'simulate clique --reinsert 0.5', says: /^--reinsert 0\.5: must be at least 1$/m },
  { args: 'simulate clique --seed -1', says: /^--seed -1: must be at least 0$/m },
  { args: 'simulate clique --slices 65', says: /^--slices 65: must be at most 64$/m },
  {
    args: 'simulate clique --slicing exct',
    says: /^--slicing exct: must be one of exact, approximate; did you mean exact\?$/m,
  },
  { args: 'simulate clique --queue-memory-bytes -1', says: /^--queue-memory-bytes -1: must be at least 0$/m },
  {
    args: 'simulate clique --queue-memory-bytes 5TiB',
    says: /^--queue-memory-bytes 5TiB: must be at most 1099511627776$/m,
  },
  { args: 'simulate clique --politeness-ms=-1s', says: /^--politeness-ms -1s: must be at least 0$/m },
  {
    args: 'simulate clique --max-seconds 10x',
    says: /^--max-seconds 10x: must be a number, or a duration such as 250ms, 90s, 1h30m or 2d$/m,
  },
  {
    args: 'simulate clique --bandwidth-bytes-per-second 100Mb',
    says: /^--bandwidth-bytes-per-second 100Mb: must be a number, or a bandwidth such as 100Mbit, .* or 10MiB\/s$/m,
  },
  { args: 'simulate clique --max-pages 1.5', says: /^--max-pages 1.5: must be an integer$/m },
  { args: 'simulate clique --concurrency 5', says: /^unknown option '--concurrency' \(Did you mean --robots\?\)/m },
  {
    args: 'simulate clique --queue-memory-bytes 700',
    says: /^queue memory of 700 bytes .*too small for a quickheap in 1 slice; must be at least 768, or 0/,
  },
  {
    args: 'simulate clique --queue cbt --queue-memory-bytes 6143',
    says: /too small for a cbt with blocks of 96 keys in 1 slice; must be at least 6144/,
  },
  {
    args: 'simulate clique --queue binary-heap --queue-memory-bytes 1MiB',
    says: /^--queue-memory-bytes 1MiB: a binary-heap cannot be stored in files/,
  },
  { args: 'simulate clique --block 4194305', says: /^--block 4194305: must be at most 4194304$/m },
  { args: 'simulate clique --block 0', says: /^--block 0: must be at least 1$/m },
  { args: 'simulate clique --max-pages 0', says: /^--max-pages 0: must be at least 1$/m },
  {
    args: 'info F/cut.properties',
    says: /cut\.graph: is truncated: it ends, at bit \d+, within the successors of node \d of 6$/m,
  },
  { args: 'info F/alone', says: /alone\.graph: there is no such file$/m },
  {
    args: 'import F/whole.owg --format bvgraph --out F/new.owg',
    says: /whole\.owg\.properties: there is no such file$/m,
  },
  { args: 'simulate clique --max-seconds 0', says: /^--max-seconds 0: must be more than 0$/m },
  { args: 'simulate clique --barrier-us 0', says: /^--barrier-us 0: must be at least 1$/m },
  { args: 'simulate clique --latency-ms 1e99', says: /^--latency-ms 1e99: must be at most 1000000$/m },
  { args: 'simulate clique --repeat 0', says: /^--repeat 0: must be at least 1$/m },
  {
    args: 'simulate clique --processors 0 --robots 0',
    says: /^--processors 0: must be at least 1\n--robots 0: must be at least 1$/m,
  },
  { args: 'tune clique --epsilon 1', says: /^--epsilon 1: must be less than 1$/m },
  { args: 'tune clique --threads 0', says: /^--threads 0: must be at least 1$/m },
  { args: 'rank clique --damping 1', says: /^--damping 1: must be less than 1$/m },
  { args: 'rank clique --damping -0.1', says: /^--damping -0\.1: must be at least 0$/m },
  { args: 'rank clique --damping abc', says: /^--damping abc: must be a number$/m },
  { args: 'rank clique --tolerance 0', says: /^--tolerance 0: must be at least 1e-14$/m },
  {
    args: 'rank clique --algorithm opic --tolerance 1e-13',
    says: /tolerance is 1e-13: for OPIC it must lie between 1e-12 and 1/,
  },
  {
    args: 'rank clique --algorithm pagernk',
    says: /^--algorithm pagernk: must be one of pagerank, partitioned, opic, in-degree, scores; did you mean pagerank\?$/m,
  },
  { args: 'rank clique --threads 257', says: /^--threads 257: must be at most 256$/m },
  { args: 'rank clique --threads 0', says: /^--threads 0: must be at least 1$/m },
  {
    args: 'rank clique --preference F/not-a-score.txt',
    says: /not-a-score\.txt: line 2: "two": clique has no URLs; expected a page id from 0 to 5/,
  },
  { args: 'rank clique --preference F/nothing.txt', says: /nothing\.txt: there is no such file/ },
  { args: 'rank clique --start F/cut.f64', says: /cut\.f64: has 47 bytes, but clique has 6 pages, 8 bytes each: 48/ },
  { args: 'rank clique --algorithm partitioned --shards 0', says: /^--shards 0: must be at least 1$/m },
  {
    args: 'rank clique --algorithm partitioned --shard-by hots',
    says: /^--shard-by hots: must be one of host, page; did you mean host\?$/m,
  },
  { args: 'rank clique --algorithm partitioned --iterations 0', says: /^--iterations 0: must be at least 1$/m },
  { args: 'rank clique --algorithm scores', says: /^--algorithm scores needs --scores <FILE>$/m },
  {
    args: 'rank clique --algorithm scores --scores F/cut.f64',
    says: /cut\.f64: has 47 bytes, but clique has 6 pages, 8 bytes each: 48/,
  },
  {
    args: 'rank clique --against F/not-a-score.txt',
    says: /not-a-score\.txt: line 2: "two": the score "two" is not a number/,
  },
  { args: 'rank clique --against F/nothing.txt', says: /nothing\.txt: there is no such file/ },
  { args: 'rank clique --out F/ranks.bin', says: /ranks\.bin: has an unknown extension; expected \.f64 / },
  {
    args: 'rank clique --out F/ranks.txt', says: /ranks\.txt: clique has no URLs, and a \.txt file names pages by URL/,
  },
  { args: 'simulate clique --policy scores', says: /^--policy scores needs --scores <FILE>$/m },
  { args: 'simulate clique --policy scores --scores F/not-a-score.txt', says: /not-a-score\.txt: line 2: "two"/ },
  { args: 'rank clique --top -1', says: /^--top -1: must be at least 0$/m },
  { args: 'info clique --distances near', says: /^--distances near: must be one of auto, off, exact, approximate$/m },
  { args: 'info clique --registers-log2 3', says: /^--registers-log2 3: must be at least 4$/m },
  { args: 'info clique --bootstrap -1', says: /^--bootstrap -1: must be at least 0$/m },
  {
    args: 'import clique --order hosts --out F/o.owg',
    says: /^--order hosts: must be one of source, host, bfs; did you mean host\?$/m,
  },
  { args: 'info clique --processors 0', says: /^--processors 0: must be at least 1$/m },
  {
    args: 'import clique --format edgess',
    says: /^--format edgess: must be one of auto, warc, .*, site; did you mean edges\?$/m,
  },
  { args: 'import F/no-page.warc --record-limit-mib 0', says: /^--record-limit-mib 0: must be at least 1$/m },
  { args: 'import F/bomb.txt.gz --expansion-limit 0', says: /^--expansion-limit 0: must be at least 1$/m },
  {
    args: 'import clique --urls',
    says: /^--urls: result\.owg identifies pages by id \(the whole graph, which opens at once\); use --urls with edge lists or Parquet$/m,
  },
  {
    args: 'import clique --urls --out result.tsv',
    says: /^clique: has no URLs; its links can only be stored by page ids$/m,
  },
  { args: 'crawl', says: /^name a URL to start from, like https:\/\/example\.org\/, or use --resume <DIR>$/m },
  {
    args: 'crawl https://a.example/ --contact me@a.example',
    says: /^--out <DIR> is missing: a crawl stores what it fetches/m,
  },
  { args: 'crawl https://a.example/ --out F/new', says: /^--contact is missing: name a URL or a mail address/m },
  {
    args: 'crawl ftp://a.example/ --contact me@a.example --out F/new',
    says: /^"ftp:\/\/a\.example\/": is neither http nor https/m,
  },
  {
    args: 'crawl https://a.example/x.zip --contact me@a.example --out F/new',
    says: /^https:\/\/a\.example\/x\.zip: is excluded by the filters of this crawl \(extension\)$/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/new --allow-network 10.0.0.1/8',
    says: /^--allow-network: 10\.0\.0\.1\/8 is an address within a network: write 10\.0\.0\.0\/8$/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/new --resolve a',
    says: /^--resolve a: must be like example\.org=192\.0\.2\.1/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/new --deny-pattern x',
    says: /^--deny-pattern: no URL matches \"x\"/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/new --country germany',
    says: /^--country: \"germany\" is not a country's top-level domain/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/new --partition lpt',
    says: /^partition lpt: needs the number of pages of each host beforehand/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/new --superstep-limit auto',
    says: /^--superstep-limit auto: needs a stored graph/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/new --policy scores',
    says: /^policy scores: needs scores by URL/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/in-the-way/x',
    says: /in-the-way\/x: cannot be written \(ENOTDIR\)$/m,
  },
  {
    args: 'crawl https://a.example/ --contact me@a.example --out F/no-tables',
    says: /no-tables: contains other files; name a new or an empty folder$/m,
  },
  { args: 'crawl --resume F/nothing', says: /nothing.*: contains no stored crawl$/m },
  {
    args: 'crawl --resume F/nothing --policy opic',
    says: /^--policy: --resume continues with the settings of the crawl: only --max-pages, /m,
  },
  { args: 'crawl --resume F/nothing --no-warc', says: /^--no-warc: --resume continues with/m },
  { args: 'crawl --resume F/nothing --scope F/x --drop-query a', says: /^--(scope|drop-query): --resume continues/m },
  { args: 'crawl http://a.test/ --resume F/nothing', says: /^http:\/\/a\.test\/: --resume continues with/m },
  { args: 'serve web docs-wb', says: /^no graph "docs-wb": there is no such file or folder/ },
  { args: 'serve web', says: /^serve web needs a graph or --folder <\[HOST=\]DIR>$/m },
  { args: 'serve web clique --folder F/no-tables', says: /^serve web needs a graph or --folder/ },
  { args: 'serve web clique --host-per-folder', says: /^--host-per-folder needs --folder, not a graph$/m },
  { args: 'serve web --folder F/no-tables --latency-ms 5', says: /^--latency-ms needs a graph, not --folder$/m },
  { args: 'serve web --folder F/no-tables --seed-page 1', says: /^--seed-page needs a graph, not --folder$/m },
  { args: 'serve web --folder F/nothing', says: /nothing: there is no such folder$/m },
  { args: 'serve web --folder F/in-the-way', says: /in-the-way: is a file; name a folder$/m },
  { args: 'serve web --folder =x', says: /^--folder =x: must be a folder, or HOST=FOLDER$/m },
  { args: 'serve web clique --port 65536', says: /^--port 65536: must be at most 65535$/m },
  { args: 'serve web clique --port http', says: /^--port http: must be a number$/m },
  {
    args: 'serve web clique --listen localhost',
    says: /^--listen localhost: must be an IP address, such as 127\.0\.0\.1$/m,
  },
  {
    args: 'serve web clique --listen 127.0.0.1 --log F/in-the-way/log',
    says: /^--log \S+log: cannot be written: a part of its path is a file/m,
  },
  { args: 'serve web clique --not-found-share 2', says: /^--not-found-share 2: must be at most 1$/m },
  { args: 'serve web clique --dns-ms 5', says: /^unknown option '--dns-ms'.*; see orbweaver serve web --help$/m },
  { args: 'serve web clique --seed-page 6', says: /^--seed-page 6: is not a page of clique/m },
  { args: 'serve dashboard', says: /^unknown command 'dashboard'/ },
  // Usage.
  {
    args: 'simulate clique --polcy opic',
    says: /^unknown option '--polcy' \(Did you mean --policy\?\); see orbweaver simulate --help$/m,
  },
  { args: 'simulat clique', says: /^unknown command 'simulat' \(Did you mean simulate\?\)/ },
  { args: 'simulate', says: /^name a graph, such as docs-web, or fork a run by --from <DIR>$/m },
  { args: 'rank', says: /^missing required argument 'graph'/ },
  { args: 'import', says: /^missing required argument 'files'/ },
  { args: 'generate web', says: /^model web: must be one of kronecker, copying/ },
  { args: 'generate kronecker --pages 100', says: /^--pages: applies to the copying model, not to kronecker/ },
  { args: 'generate kronecker --scale 29', says: /^--scale 29: must be at most 28/ },
  {
    args: 'generate kronecker --scale 27',
    says: /^--scale 27 with --degree 16: would have 2147483648 arcs; must be at most 1073741824/,
  },
  {
    args: 'generate copying --pages 10 --arcs 100',
    says: /^100 arcs: \d+ of 10 pages have links, each from 1 to 5: must be \d+ to \d+/,
  },
  { args: 'generate copying --arcs 1e10', says: /^--arcs 1e10: must be at most 1073741823/ },
  { args: 'generate copying --out web.txt', says: /^--out web\.txt: does not end with \.owg/ },
  { args: 'import F/whole.owg --out', says: /^option '--out <FILE>' argument missing/ },
  { args: 'simulate clique star', says: /^too many arguments for 'simulate'\. Expected 1 argument but got 2/ },
  { args: 'import F/whole.owg F/altered.owg', says: /^2 files .*: import takes one file, or the tables of one folder/ },
  { args: 'import F/control.txt F/not-a-pair.txt', says: /control\.txt: line 2: / },
  { args: 'import F/negative.txt F/whole.owg', says: /whole\.owg: is not in the format of \S+negative\.txt \(edge list\)/ },
  // Output.
  { args: 'simulate clique --out F/in-the-way', says: /^--out \S+in-the-way: is a file; name a folder$/m },
  {
    args: 'simulate clique --out F/in-the-way/below',
    says: /^--out \S+in-the-way\/below: cannot be written: a part of its path is a file/,
  },
  {
    args: 'simulate clique --out F/in-the-way/far/below',
    says: /^--out \S+far\/below: cannot be written: a part of its path is a file/,
  },
  {
    args: 'simulate clique --out F/no-tables',
    says: /^--out \S+no-tables: holds notes\.txt, which no run of Orbweaver left there; name a new folder/,
  },
  {
    args: 'simulate clique --out F/mixed', says: /^--out \S+mixed: holds thesis\.tex, which no run of Orbweaver left there/,
  },
  { args: 'tour clique --out F/no-tables', says: /holds notes\.txt/ },
  { args: 'tune clique --out F/in-the-way', says: /in-the-way: is a file; name a folder/ },
  { args: 'rank clique --out F/no-tables', says: /^--out \S+no-tables: is a folder; name a file$/m },
  {
    args: 'rank clique --out F/nowhere/ranks.f64',
    says: /^--out \S+ranks\.f64: cannot be written: no such folder$/m,
  },
  {
    args: 'import clique --out F/clique.doc',
    says: /^--out \S+clique\.doc: must end with one of \.owg, \.graph, \.tsv, .*, \.parquet, \.gexf, the formats that import writes$/m,
  },
  {
    args: 'import docs-web --out F/large.gexf',
    says: /^docs-web: has 31331 pages and 1172885 links; a GEXF file may have at most 100000 and 100000$/m,
  },
  {
    args: 'import clique --out F/in-the-way/g.owg',
    says: /^--out \S+g\.owg: cannot be written: a part of its path is a file/,
  },
];

async function expectRefused(
  { args, says }: Row, run: (args: readonly string[], cwd: string) => Promise<Finished>,
): Promise<void> {
  const folder = newFolder();
  const words = args.split(' ').map((word) => (word.startsWith('F/') ? at(word.slice(2)) : word));
  // So that a command which went on in spite of the fault would leave something to find.
  const canWrite = ['simulate', 'tune', 'rank', 'tour', 'import', 'generate'].includes(words[0]);
  const out = { import: 'result.owg', generate: 'result.owg', rank: 'result.f64' }[words[0]] ?? 'result';
  if (canWrite && !words.includes('--out')) words.push('--out', out);

  const { code, stdout, stderr } = await run(words, folder);

  expect(stderr).toMatch(says);
  expect(stderr.trimEnd().split('\n').length, stderr).toBeLessThanOrEqual(3);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(stdout).toBe('');
  expect(code).toBe(2);
  expect(namesBelow(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
}

test.each(rows)('orbweaver $args', (row) => expectRefused(row, orbweaver));

const asProcesses = sampled(oneOfEach(rows, ({ args }) => args.split(' ')[0]), 4);
describe(`as a process of its own, ${partOf(asProcesses, rows)}`, () => {
  test.concurrent.each(asProcesses)('orbweaver $args', (row) => expectRefused(row, orbweaverProcess));
});

// After the last row: while rows run, those that name an output in the folder have drafts there for a moment.
test('nothing was left in the folder of prepared files', () => {
  expect(namesBelow(files)).toEqual(prepared);
});
