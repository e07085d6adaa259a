import { readFileSync } from 'node:fs';

let version: string | undefined;

/** The version of this package. Read as text: `require` would first load Node's loader of CommonJS. */
export function packageVersion(): string {
  if (version === undefined) {
    const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    ({ version } = JSON.parse(text) as { version: string });
  }
  return version;
}
