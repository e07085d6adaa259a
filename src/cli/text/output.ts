import type { RunResult } from '../../core/measure/index.ts';
import { exitCodes } from '../exit.ts';
import { invocation } from '../invocation.ts';
import { printable, printableJson } from './printable.ts';

/**
 * Prints text for people, or with `--json` one JSON document and nothing else. Only the one needed is made.
 */
export function print(json: boolean | undefined, document: () => unknown, text: () => string): void {
  invocation().stdout.write(json === true ? `${printableJson(document())}\n` : `${text()}\n`);
}

export function printReady(json: boolean | undefined, document: unknown, lines: readonly string[]): void {
  printText(json === true ? printableJson(document, 0) : lines.join('\n'));
}

/** Prints a text that is the result, whatever the format asked for. */
export function printText(text: string): void {
  invocation().stdout.write(`${text}\n`);
}

/**
 * Prints a remark, which is not a result: on standard error, so that `--json` stays one document. Where logs are JSON
 * it is a line of JSON, with what kind of event it is and its figures.
 */
export function remark(text: string, event = 'remark', figures: Readonly<Record<string, unknown>> = {}): void {
  const { stderr, logsJson } = invocation();
  const line = logsJson === true
    ? printableJson({ time: new Date().toISOString(), event, ...figures, text }, 0) : text;
  stderr.write(`${line}\n`);
}

/** Remarks that the command was interrupted, and sets the exit code. */
export function remarkInterrupted(text: string, event?: string): void {
  remark(text, event);
  invocation().exitCode = exitCodes.interrupted;
}

/** Reports that the run ended early and where it is saved, and sets the exit code. */
export function tellInterrupted(what: string, folder: { readonly path: string } | undefined): void {
  const where = folder === undefined ? 'nothing saved, since --out is not set' : `saved in ${printable(folder.path)}`;
  remarkInterrupted(`interrupted ${what}; ${where}`);
}

/** The last lines of a printed result, which name the place of its files; none without `--out`. */
export function storedLines(what: string, out: string | undefined): string[] {
  return out === undefined ? [] : ['', `${what}: ${printable(out)}`];
}

export function remarkStatistics({ statistics }: Pick<RunResult, 'statistics'>): void {
  const failure = statistics?.failure;
  if (failure !== undefined) remark(`statistics: ended early, without effect on the crawl: ${printable(failure.message)}`);
}
