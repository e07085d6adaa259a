import { exitCodes } from '../exit.ts';
import { invocation } from '../invocation.ts';
import { printable, printableJson } from './printable.ts';

/**
 * Prints what a person reads, or with `--json` one JSON document and nothing else. Both are made only when asked for.
 */
export function print(json: boolean | undefined, document: () => unknown, text: () => string): void {
  invocation().stdout.write(json === true ? `${printableJson(document())}\n` : `${text()}\n`);
}

/** Remarks that are no result: on standard error, so that `--json` stays one document. */
export function remark(text: string): void {
  invocation().stderr.write(`${text}\n`);
}

/** Tells that the run ended early and where it is kept, and sets the exit code. */
export function tellInterrupted(what: string, folder: { readonly path: string } | undefined): void {
  remark(
    `interrupted ${what}; ${folder === undefined ? 'nothing saved, for there is no --out' : `saved in ${printable(folder.path)}`}`,
  );
  invocation().exitCode = exitCodes.interrupted;
}
