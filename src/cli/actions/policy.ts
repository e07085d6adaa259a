import { lstat } from 'node:fs/promises';
import { parse } from 'node:path';
import { writeAll, writeFiles } from '../../base/files/index.ts';
import { InputError } from '../../base/index.ts';
import { checkIsModule, shippedPolicies } from '../../core/policy/index.ts';
import { shellWord } from '../flags/out-folder.ts';
import { printText } from '../text/output.ts';
import { printable } from '../text/printable.ts';

export async function runPolicyNew(file: string): Promise<void> {
  const { ext, name, base } = parse(file);
  const isName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
  if (!['.js', '.mjs'].includes(ext)) {
    const like = ext === '' && isName ? `; did you mean ${base}.mjs?` : '';
    throw new InputError(`${printable(file)}: must end with .js or .mjs${like}`);
  }
  if (!isName)
    throw new InputError(`${printable(file)}: its name becomes that of the policy: lower-case letters, digits and single hyphens, after a letter`);
  if (shippedPolicies.settings.policies.some((policy) => policy.name === name))
    throw new InputError(`${printable(file)}: there is a policy ${name} already; choose another name`);
  if (await lstat(file).catch(() => undefined) !== undefined)
    throw new InputError(`${printable(file)}: exists already, and is not overwritten`);
  const text = examplePolicy(name, base);
  checkIsModule(file, text);
  await writeFiles([file], async ([handle]) => writeAll(handle, Buffer.from(text)));
  const path = printable(shellWord(/^[./]/.test(file) ? file : `./${file}`));
  printText(`Wrote ${printable(file)}. Run it, then change it:\n  orbweaver simulate docs-web --policy ${path}`);
}

/** It imports nothing, so that it runs wherever it lies; the comments are for editors and for its author. */
function examplePolicy(name: string, fileName: string): string {
  return `// A policy of Orbweaver: the order in which pages are fetched.
//   orbweaver simulate docs-web --policy ./${fileName}

/** @type {import('orbweaver/policy').PolicyDefinition} */
export default {
  name: '${name}',
  title: 'most links from fetched pages, with the first pages of each host ahead',

  // Links pass amounts on: see \`amounts\` below.
  needs: ['amounts'],

  // Settings: --policy-option host-penalty=0.5, or an axis of a study.
  options: {
    hostPenalty: { type: 'number', minimum: 0, default: 0.1, description: 'lost per earlier page of the host' },
  },

  // One order is made for each processor. It knows its pages as 0, 1, 2, ... in the order of their discovery.
  make({ state, options }) {
    // What it remembers of each page and host is saved and restored with the crawl: keep nothing elsewhere.
    const page = state.pages({ links: Float64Array, place: Uint32Array });
    const pagesOf = state.map();
    const score = (local) => (1 + page.links[local]) / (1 + options.hostPenalty * page.place[local]);
    return {
      // A page has become known. The links of a page are made known before \`fetched\` is called for that page.
      know(local, id, host) {
        page.place[local] = pagesOf.get(host) ?? 0;
        pagesOf.set(host, page.place[local] + 1);
      },

      // An integer from 0 to 0x7fefffff; pages with greater keys are fetched first.
      key: (local) => Math.min(Math.round(1000 * score(local)), 0x7fefffff),
      // A page is queued again when its score has changed enough. It changes only by what is credited to the page.
      score,

      amounts: {
        // Each link of a fetched page passes 1 on, and pages add up what arrives.
        spread: (local, links) => 1,
        credit(local, amount) { page.links[local] += amount; },
      },
    };
  },
};
`;
}
