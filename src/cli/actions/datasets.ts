import { join } from 'node:path';
import {
  catalogue, datasetsFolder, fetchDataset, fetchedFolder, fetchedNames, nearestNames, publicDatasets, readRecord,
  verifyDataset, type FetchedDataset, type FileRecord, type PublicDataset, type VerifiedFile,
} from '../../graphs/catalogue/index.ts';
import { InputError } from '../../base/index.ts';
import { counted, decimal, grouped, paragraph, percent } from '../text/figures.ts';
import { interruptSignal } from '../interrupt.ts';
import { invocation } from '../invocation.ts';
import { print, remark, remarkInterrupted } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { ProgressLine, withProgress } from '../text/progress.ts';
import { headedTable, textTable, type Alignment } from '../text/text-table.ts';

interface Flags {
  readonly catalogue?: string;
  readonly json?: true;
  readonly in?: string;
}

interface FetchFlags extends Flags {
  readonly to?: string;
  readonly check?: boolean;
}

export interface Listed {
  readonly name: string;
  readonly title: string;
  readonly pages?: number | undefined;
  readonly arcs?: number | undefined;
  readonly rounded: boolean;
  /** The size of all files; undefined if not all are known. */
  readonly bytes?: number | undefined;
  readonly licence: string;
  readonly here: 'shipped' | 'fetched' | 'in part' | 'no';
}

export async function runList(name: string | undefined, flags: Flags): Promise<void> {
  const root = flags.in ?? datasetsFolder();
  const datasets = await publicDatasets(flags.catalogue);
  if (name !== undefined) return listOne(name, datasets, root, flags.json);
  const shipped = catalogue.map(({ name: called, origin, pages, arcs }): Listed => ({
    name: called, title: origin, pages, arcs, rounded: false, licence: 'MIT, with Orbweaver', here: 'shipped',
  }));
  const others: Listed[] = [];
  for (const dataset of datasets) {
    const { title, pages, arcs, rounded, licence } = dataset;
    const here = await whereabouts(dataset.name, root);
    others.push({ name: dataset.name, title, pages, arcs, rounded, bytes: bytesOf(dataset), licence, here });
  }
  for (const fetched of await fetchedNames(root)) {
    if (!datasets.some((dataset) => dataset.name === fetched)) others.push(await listedByRecord(fetched, root));
  }
  // Small graphs first: people try those first. A graph with unknown arcs is sorted by its pages.
  others.sort(
    (a, b) => (a.arcs ?? a.pages ?? Infinity) - (b.arcs ?? b.pages ?? Infinity) || (a.name < b.name ? -1 : 1),
  );
  const list = [...shipped, ...others];
  print(
    flags.json,
    () => ({ folder: root, datasets: list }),
    () =>
      [
        listTable(list, invocation().stdout.columns || Infinity),
        '',
        `Fetched graphs are in ${printable(root)}; - is unknown, ~ rounded by the publisher.`,
        'orbweaver datasets list NAME shows files and citation.',
      ].join('\n'),
  );
}

/** A fetched graph that is not in the list in use. */
async function listedByRecord(name: string, root: string): Promise<Listed> {
  const record = await readRecord(join(root, name));
  const bytes = record?.files.reduce((sum, file) => sum + file.bytes, 0);
  const here = await whereabouts(name, root);
  return { name, title: 'fetched by another list', rounded: false, bytes, licence: record?.licence ?? '', here };
}

async function whereabouts(name: string, root: string): Promise<Listed['here']> {
  const folder = await fetchedFolder(name, root);
  const record = folder === undefined ? undefined : await readRecord(folder);
  return record === undefined ? 'no' : record.complete ? 'fetched' : 'in part';
}

/** Bytes of all files; undefined if the publisher does not state them. */
function bytesOf({ files, lists, roundedBytes }: PublicDataset): number | undefined {
  if (roundedBytes !== undefined || lists.length > 0) return roundedBytes;
  return files.reduce(
    (sum: number | undefined, { bytes }) => (sum === undefined || bytes === undefined ? undefined : sum + bytes), 0,
  );
}

/** As many columns as fit, the least important dropped first. */
export function listTable(list: readonly Listed[], room: number): string {
  const columns: { readonly heading: string; readonly side: Alignment; readonly cell: (entry: Listed) => string }[] = [
    { heading: 'name', side: 'left', cell: ({ name }) => printable(name) },
    { heading: 'pages', side: 'right', cell: ({ pages, rounded }) => countText(pages, rounded) },
    { heading: 'arcs', side: 'right', cell: ({ arcs, rounded }) => countText(arcs, rounded) },
    { heading: 'here', side: 'left', cell: ({ here }) => here },
    { heading: 'size', side: 'right', cell: ({ bytes }) => (bytes === undefined ? '-' : bytesText(bytes)) },
    { heading: 'licence', side: 'left', cell: ({ licence }) => printableShort(licence, 26) },
    { heading: 'what', side: 'left', cell: ({ title }) => printableShort(title, 60) },
  ];
  for (let count = columns.length; ; count--) {
    const some = columns.slice(0, count);
    const rows = list.map((entry) => some.map(({ cell }) => cell(entry)));
    const table = headedTable(some.map(({ heading }) => heading), rows, some.map(({ side }) => side), '  ', Infinity);
    if (count === 1 || table.split('\n').every((line) => line.length <= room)) return table;
  }
}

function countText(count: number | undefined, rounded: boolean): string {
  return count === undefined ? '-' : `${rounded ? '~' : ''}${grouped(count)}`;
}

/** 21168784 -> "21.2 MB". */
function bytesText(bytes: number): string {
  const unit = [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]] as const;
  const [name, size] = unit.find(([, least]) => bytes >= least) ?? (['B', 1] as const);
  return `${decimal(bytes / size, size === 1 ? 0 : 1)} ${name}`;
}

async function listOne(
  name: string, datasets: readonly PublicDataset[], root: string, json: true | undefined,
): Promise<void> {
  const shipped = catalogue.find((entry) => entry.name === name);
  if (shipped) {
    const { path, pages, arcs, origin } = shipped;
    print(
      json,
      () => shipped,
      () => `${name}: ${origin}\n${grouped(pages)} pages, ${grouped(arcs)} arcs; shipped, ${printable(path)}`,
    );
    return;
  }
  const dataset = named(name, datasets);
  const here = await whereabouts(name, root);
  const elsewhere = dataset.checksums ? `MD5 in ${dataset.checksums.name}` : 'not published';
  const rows = [
    ...dataset.files.map(({ name: file, url, bytes, md5, sha256 }) => [
      file, bytes === undefined ? '-' : grouped(bytes), sha256 ? 'SHA-256' : md5 ? 'MD5' : elsewhere, url,
    ]),
    ...(dataset.checksums ? [[dataset.checksums.name, '-', 'has the others', dataset.checksums.url]] : []),
    ...dataset.lists.map(({ name: file, url }) => [file, '-', 'not published; a list of files', url]),
  ];
  print(
    json,
    () => ({ ...dataset, here, ...(here === 'no' ? {} : { folder: join(root, name) }) }),
    () =>
      [
        `${name}: ${dataset.title}`,
        '',
        textTable(
          [
            ['pages', countText(dataset.pages, dataset.rounded)],
            ['arcs', countText(dataset.arcs, dataset.rounded)],
            ['licence', dataset.licence],
            ['source', dataset.source],
            ['here', here === 'no' ? `no: orbweaver datasets fetch ${name}` : `${here}, ${join(root, name)}`],
          ].map((row) => row.map(printable)),
          ['left', 'left'],
        ),
        '',
        headedTable(
          ['file', 'bytes', 'checksum', 'address'], rows.map((row) => row.map(printable)),
          ['left', 'right', 'left', 'left'],
        ),
        '',
        paragraph(printable(dataset.citation), 'Cite: '),
      ].join('\n'),
  );
}

/** @throws InputError with the nearest names. */
function named(name: string, datasets: readonly PublicDataset[]): PublicDataset {
  const dataset = datasets.find((entry) => entry.name === name);
  if (dataset) return dataset;
  if (catalogue.some((entry) => entry.name === name)) {
    throw new InputError(`${name}: comes with Orbweaver and need not be fetched; every command opens it by name`);
  }
  const nearest = nearestNames(name, datasets.map((entry) => entry.name)).slice(0, 5);
  throw new InputError(
    `no public graph "${printableShort(name)}"; the nearest of ${datasets.length} are ${nearest.join(', ')}`,
  );
}

export async function runFetch(name: string, flags: FetchFlags): Promise<void> {
  const dataset = named(name, await publicDatasets(flags.catalogue));
  const root = flags.to ?? datasetsFolder();
  const signal = interruptSignal();
  const line = new FetchLine(name);
  const notes: string[] = [];
  let fetched: FetchedDataset;
  try {
    fetched = await fetchDataset(dataset, {
      root,
      check: flags.check,
      signal,
      onProgress: (progress) => line.show(progress),
      onNote: (note) => {
        line.clear();
        notes.push(note);
        remark(printable(note));
      },
    });
  } catch (error) {
    line.clear();
    if (!signal.aborted) throw error;
    const place = printable(join(root, name));
    remarkInterrupted(`interrupted; the partial download is in ${place}, and the same command continues it`); return;
  }
  line.clear();
  const { folder, record: { files, licence, citation }, wasHere, counts } = fetched;
  print(
    flags.json,
    () => ({ name, folder, wasHere, counts, files, licence, citation, notes }),
    () =>
      wasHere
        ? `${name}: already fetched, in ${printable(folder)}; orbweaver datasets verify ${name} checks its files`
        : fetchedText(dataset, fetched, flags.to),
  );
}

function fetchedText(
  dataset: PublicDataset, { folder, record, counts }: FetchedDataset, to: string | undefined,
): string {
  const { name, files } = record;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const isKnown = !dataset.rounded && dataset.pages !== undefined && dataset.arcs !== undefined;
  const asKnown = isKnown ? ', as the catalogue says' : '';
  const comparedWith = ({ md5, sha256 }: FileRecord['published']): string =>
    [md5 === undefined ? [] : 'published MD5', sha256 === undefined ? [] : 'published SHA-256'].flat().join(', ') ||
    'not published';
  return [
    `${name}: ${counted(files.length, 'file')}, ${grouped(bytes)} bytes, in ${printable(folder)}`,
    counts === undefined
      ? 'not opened and counted (use --check)'
      : `${grouped(counts.pages)} pages and ${grouped(counts.arcs)} arcs${asKnown}`,
    '',
    headedTable(
      ['file', 'bytes', 'compared with', 'sha256'],
      files.map((file) => [printable(file.name), grouped(file.bytes), comparedWith(file.published), file.sha256]),
      ['left', 'right', 'left', 'left'],
    ),
    '',
    `Licence: ${printable(record.licence)}`,
    paragraph(printable(record.citation), 'Cite: '),
    to === undefined
      ? `Open it by name: orbweaver info ${name}`
      : `Open it by folder, or by name with ORBWEAVER_DATASETS set: orbweaver info ${printable(folder)}`,
  ].join('\n');
}

/** Progress of a download: bytes, their share, rate and time left, by the mean rate since the file started. */
class FetchLine {
  readonly #name: string;
  readonly #line = new ProgressLine();
  #file = '';
  #sinceMs = 0;
  #bytesBefore = 0;

  constructor(name: string) {
    this.#name = name;
  }

  show({ file, bytes, bytesTotal }: { file: string; bytes: number; bytesTotal: number | undefined }): void {
    const nowMs = performance.now();
    // The count falls when a file starts again.
    if (file !== this.#file || bytes < this.#bytesBefore) {
      this.#file = file;
      this.#sinceMs = nowMs;
      this.#bytesBefore = bytes;
    }
    const rate = (bytes - this.#bytesBefore) / Math.max(1e-3, (nowMs - this.#sinceMs) / 1000);
    this.#line.show(() => {
      const share =
        bytesTotal === undefined ? '' : ` of ${bytesText(bytesTotal)} (${percent(bytes / Math.max(1, bytesTotal))})`;
      const timeLeft = bytesTotal === undefined || rate <= 0 ? '' : `, ${durationText((bytesTotal - bytes) / rate)} left`;
      return `${this.#name}: ${file}: ${bytesText(bytes)}${share}, ${bytesText(rate)}/s${timeLeft}`;
    });
  }

  clear(): void {
    this.#line.clear();
  }
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${decimal(seconds / 3600, 1)} h`;
}

export async function runVerify(name: string | undefined, flags: Flags): Promise<void> {
  const root = flags.in ?? datasetsFolder();
  if (name !== undefined && (await fetchedFolder(name, root)) === undefined) {
    throw new InputError(`"${printableShort(name)}": no graph of this name was fetched to ${root}`);
  }
  const names = name === undefined ? await fetchedNames(root) : [name];
  const verified: (VerifiedFile & { readonly dataset: string })[] = [];
  await withProgress(async (line) => {
    for (const dataset of names) {
      const files = await verifyDataset(join(root, dataset), (file, bytes) =>
        line.show(() => `${file}: ${bytesText(bytes)}`));
      verified.push(...files.map((file) => ({ dataset, ...file })));
    }
  });
  const damaged = verified.filter(({ damage }) => damage !== undefined);
  print(
    flags.json,
    () => ({ folder: root, files: verified, damaged: damaged.length }),
    () =>
      verified.length === 0
        ? `no graph was fetched to ${printable(root)}`
        : headedTable(
            ['file', 'bytes', 'compared with', ''],
            verified.map(({ file, bytes, against, damage }) => [
              printable(file), grouped(bytes), against.join(', '), damage === undefined ? 'ok' : 'DAMAGED',
            ]),
            ['left', 'right', 'left', 'left'],
          ),
  );
  if (damaged.length > 0) {
    throw new InputError(
      damaged.map(({ file, damage, dataset }) => `${file}: ${damage}; remove it and fetch ${dataset} again`).join('\n'),
    );
  }
}
