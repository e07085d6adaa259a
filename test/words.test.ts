import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

// Goal: the code reads as plain English. Method: names and phrases that stop a reader are counted in each wing, and the
// numbers below may only fall.

const src = join(import.meta.dirname, '../src');

/** Participles say what was done to a thing, not what it is; "one" says nothing at all. */
const participles = new Set([
  'one', 'found', 'before', 'own', 'left', 'known', 'given', 'held', 'shown', 'stated', 'said', 'asked', 'taken',
  'seen', 'made', 'done', 'written', 'read', 'kept', 'lost', 'drawn', 'chosen', 'wanted', 'needed', 'moved', 'owed',
  'named', 'sent',
]);
/** Turns of phrase in place of a noun, and comments that begin in the middle of a sentence. */
const phrases = new RegExp(
  String.raw`\b(?:that of|those of|of its own|the same of|what is|what has|of one)\b|` +
    String.raw`(?:\/\*\* |\/\/ |^ *\* )(?:Of|By|For|In|Where) [a-z]`, 'gm',
);

/** Stiff names and phrases that each wing still has. Lower a number when you mend some; none may rise. */
const stiff: Readonly<Record<string, { readonly names: number; readonly phrases: number }>> = {
  base: { names: 0, phrases: 24 }, graphs: { names: 36, phrases: 36 }, core: { names: 46, phrases: 51 },
  search: { names: 0, phrases: 2 }, views: { names: 37, phrases: 80 }, questions: { names: 9, phrases: 32 },
  machines: { names: 0, phrases: 15 }, cli: { names: 39, phrases: 49 },
};

function stiffNames(path: string, text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node);
    if (isNamed && ts.isIdentifier(node.name) && participles.has(node.name.text)) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return names;
}

const isScript = (path: string): boolean => /\.tsx?$/.test(path);

function countsOf(wing: string): { readonly names: number; readonly phrases: number } {
  const texts = readdirSync(join(src, wing), { recursive: true, encoding: 'utf8' }).filter(isScript)
    .map((path) => readFileSync(join(src, wing, path), 'utf8'));
  return {
    names: texts.reduce((count, text) => count + stiffNames(wing, text).length, 0),
    phrases: texts.reduce((count, text) => count + (text.match(phrases) ?? []).length, 0),
  };
}

test('names are nouns, comments are sentences: what is left only shrinks', () => {
  const wings = readdirSync(src, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  expect(Object.fromEntries(wings.map((wing) => [wing, countsOf(wing)]))).toEqual(stiff);
});

test('the rules can fail', () => {
  const text = 'const found = f((one) => one.page); const { given, page } = found;';
  expect(stiffNames('x.ts', text)).toEqual(['found', 'one', 'given']);
  expect('/** Of a page: its links, and those of others. */'.match(phrases)).toEqual(['/** Of a', 'those of']);
});
