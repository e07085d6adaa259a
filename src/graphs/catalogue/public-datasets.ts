import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { InputError, quoted } from '../../base/index.ts';
import { readError } from '../../base/files/index.ts';

/** The list that comes with the package; two folders up from src/graphs/catalogue/ as from dist/graphs/catalogue/. */
const OUR_LIST = fileURLToPath(new URL('../../../datasets/catalogue.json', import.meta.url));

/** Longer lists are not read: ours has a few ten thousand bytes. */
const LONGEST_LIST_BYTES = 1 << 24;

/** Endings that Orbweaver itself gives to files of a graph's folder. */
const OWN_ENDINGS = /\.(part|part\.json|partial)$/i;

/** The record of a fetched graph, in its folder. */
export const RECORD_FILE = 'orbweaver-dataset.json';

/**
 * Names of graphs and of their files become names on any file system: no slash, no leading dot, nothing a shell would
 * stumble on.
 */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,119}$/;

/** A graph's name, and so its folder's. */
export const datasetName = z.string().regex(
  NAME, 'must be letters, digits and . _ @ + - alone, begin with a letter or digit, and have 120 characters at most',
);

/** A file's name in the folder of its graph. It cannot lead out of it, nor name a file that Orbweaver makes. */
export const fileName = datasetName.refine((name) => !OWN_ENDINGS.test(name) && name.toLowerCase() !== RECORD_FILE, {
  message: `may not be ${RECORD_FILE} or end with .part, .part.json or .partial, which are Orbweaver's own`,
});

/** An address of the web. */
export const webAddress = z.string().max(2048).refine(isWebAddress, {
  message: 'must be an address that begins with http:// or https://, without user name and fragment',
});

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' && hash === '';
}

const words = z.string().min(1).max(1000);
const size = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const fileSchema = z.strictObject({
  name: fileName,
  url: webAddress,
  bytes: size.optional(),
  md5: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits, in lower case').optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits, in lower case').optional(),
  /** False for a file that lies beside the graph's and is not read by itself, such as a BVGraph's properties. */
  opens: z.boolean().default(true),
});

/**
 * A published list, gzipped or not, of the addresses of files that make up the graph, one a line, relative to `base`.
 */
const listSchema = z.strictObject({
  name: fileName,
  url: webAddress,
  base: webAddress.refine((base) => base.endsWith('/'), { message: 'must end with a slash' }),
  /** Goes before each part's own name, so that the parts of two lists do not meet. */
  prefix: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'must be letters, digits and . _ - alone'),
});

const publicDatasetSchema = z
  .strictObject({
    name: datasetName,
    title: words,
    /** Its publisher's page about it. */
    source: webAddress,
    pages: size.optional(),
    arcs: size.optional(),
    /** Whether pages and arcs are rounded, as their publisher gives them. */
    rounded: z.boolean().default(false),
    /** Bytes of all files where the publisher gives them rounded. */
    roundedBytes: size.optional(),
    /** "none stated" where there is none. */
    licence: words,
    citation: words,
    files: z.array(fileSchema).max(10_000).default([]),
    /** A file of the publisher's with the MD5 sums of the others, as md5sum writes it. */
    checksums: z.strictObject({ name: fileName, url: webAddress }).optional(),
    lists: z.array(listSchema).max(16).default([]),
  })
  .superRefine((dataset, context) => {
    const all = [...dataset.files, ...dataset.lists, ...(dataset.checksums ? [dataset.checksums] : [])];
    const names = all.map(({ name }) => name.toLowerCase());
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined)
      context.addIssue({ code: 'custom', path: ['files'], message: `name two files ${twice}, letter case apart` });
    if (dataset.lists.length === 0 && !dataset.files.some(({ opens }) => opens)) {
      context.addIssue({ code: 'custom', path: ['files'], message: 'must have a file that opens, or lists of files' });
    }
  });

/** A graph that others publish and `fetchDataset` brings here. */
export type PublicDataset = z.output<typeof publicDatasetSchema>;

const listOfDatasets = z
  .strictObject({ datasets: z.array(publicDatasetSchema).max(10_000) })
  .superRefine(({ datasets }, context) => {
    const names = new Set<string>();
    datasets.forEach(({ name }, i) => {
      if (names.has(name.toLowerCase())) {
        context.addIssue({
          code: 'custom', path: ['datasets', i, 'name'], message: 'is the name of another graph too, letter case apart',
        });
      }
      names.add(name.toLowerCase());
    });
  });

/**
 * The public graphs of a list, by default the list of the package, `datasets/catalogue.json`.
 * Errors   InputError naming file and field.
 */
export async function publicDatasets(file = OUR_LIST): Promise<readonly PublicDataset[]> {
  const parsed = listOfDatasets.safeParse(parsedJson(file, await shortText(file)));
  if (parsed.success) return parsed.data.datasets;
  const [issue] = parsed.error.issues;
  throw new InputError(`${file}: ${fieldOf(issue.path)}: ${issue.message}`);
}

/** The text of a file of at most 16 MiB. Errors as readError. */
export async function shortText(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const info = await handle.stat();
      if (!info.isFile()) throw new InputError(`${file}: is not a file`);
      if (info.size > LONGEST_LIST_BYTES)
        throw new InputError(`${file}: has ${info.size} bytes; a list has ${LONGEST_LIST_BYTES} at most`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readError(file, error);
  }
}

/** Errors   InputError if `text`, of the file, is not JSON. */
export function parsedJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}: is not JSON: ${quoted((error as Error).message, 120).slice(1, -1)}`);
  }
}

/** ["datasets", 2, "files", 0, "name"] -> "datasets[2].files[0].name". */
export function fieldOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text === '' ? 'the whole' : quoted(text.replace(/^\./, ''), 120).slice(1, -1);
}
