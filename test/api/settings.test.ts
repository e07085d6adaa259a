import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { root } from './doors.ts';

// Goal: an editor shows on every setting of a library call what the help says of its flag; and these written types are
// the types that the schemas compute, in both directions.

const files = ['experiment', 'crawl'].map((name) => join(root, 'dist/types', `${name}.d.ts`));

/** The settings of an interface, by their paths, with their comments. */
function settingsOf(name: string): Map<string, string> {
  const settings = new Map<string, string>();
  const walk = (members: ts.NodeArray<ts.TypeElement>, path: string): void => {
    for (const member of members) {
      if (!ts.isPropertySignature(member)) continue;
      const at = `${path}${member.name.getText()}`;
      settings.set(at, ts.getJSDocCommentsAndTags(member).map((comment) => comment.getText()).join('\n'));
      const inner = (node: ts.Node): void => {
        if (ts.isTypeLiteralNode(node)) walk(node.members, `${at}.`);
        else node.forEachChild(inner);
      };
      if (member.type !== undefined) inner(member.type);
    }
  };
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements)
      if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) walk(statement.members, '');
  }
  return settings;
}

describe.each(['ExperimentInput', 'LiveCrawlInput', 'LiveInput'])('%s', (name) => {
  const settings = settingsOf(name);

  test('has a comment on every setting, but in the records of policies', () => {
    expect(settings.size).toBeGreaterThan(15);
    const bare = [...settings].filter(([path, text]) => text === '' && !path.startsWith('userPolicies.'));
    expect(bare).toEqual([]);
  });
});

test('comments say effect, unit, range and default', () => {
  const settings = settingsOf('ExperimentInput');
  expect(settings.get('processors')).toBe('/** Number of processors, P. An integer, 1 to 4,096. Default: 8. */');
  expect(settings.get('politenessMs')).toMatch(/milliseconds\. 0 to 1,000,000,000\. Default: 1000\./);
  expect(settings.get('network.latencyMs')).toMatch(/milliseconds/);
  expect(settingsOf('LiveInput').get('headersTimeoutMs')).toMatch(/maximum wait for the headers/i);
});

test('the written types equal the computed ones', () => {
  const program = join(root, 'types-of-settings.ts');
  const text = `
    import type * as z from 'zod';
    import type { ExperimentInput, ExperimentSchema, LiveCrawlInput, LiveCrawlSchema } from './dist/core/settings/experiment.ts';
    import type { LiveInput, liveSchema } from './dist/core/live/settings.ts';
    export function same(
      a: ExperimentInput, b: z.input<ExperimentSchema>, c: LiveCrawlInput, d: z.input<LiveCrawlSchema>,
      e: LiveInput, f: z.input<typeof liveSchema>,
    ): void {
      const written: [z.input<ExperimentSchema>, z.input<LiveCrawlSchema>, z.input<typeof liveSchema>] = [a, c, e];
      const computed: [ExperimentInput, LiveCrawlInput, LiveInput] = [b, d, f];
      void [written, computed];
      // @ts-expect-error a misspelt setting
      const wrong: ExperimentInput = { politnessMs: 1 };
      void wrong;
    }
  `;
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023, lib: ['lib.es2023.d.ts'], types: ['node'], module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext, noEmit: true, skipLibCheck: true, strict: true,
    exactOptionalPropertyTypes: true, allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const plain = ts.createCompilerHost(options);
  host.readFile = (file) => (file === program ? text : plain.readFile(file));
  host.fileExists = (file) => file === program || plain.fileExists(file);
  host.getSourceFile = (file, language, ...rest) => (file === program
    ? ts.createSourceFile(file, text, language) : plain.getSourceFile(file, language, ...rest));
  const built = ts.createProgram([program], options, host);
  const faults = ts.getPreEmitDiagnostics(built).map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(faults).toEqual([]);
});
