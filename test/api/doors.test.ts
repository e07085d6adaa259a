import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TSDocConfiguration, TSDocParser, type DocComment, type DocNode } from '@microsoft/tsdoc';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { BuiltDoors, doors, exampleOf, reportOf, root } from './doors.ts';

// Goal: what the package promises to its users is written down, documented, and changes only on purpose.

const built = new BuiltDoors();

/** Functions and methods that throw nothing but what a broken promise of their caller's would make them. */
const neverThrows: readonly string[] = [
  'FetchedPage.header',
  'FrontierServer.metrics',
  'InputError.constructor', 'PolicyState.map', 'PolicyState.numbers', 'PolicyState.pages', 'RunControl.inspect',
  'RunControl.pause', 'RunControl.resume', 'RunControl.stop', 'defaultSeeds', 'entryIndex', 'entryKey', 'keyOfScore',
  'measureQuality', 'packEntry', 'prepare', 'reach', 'recordFiles', 'toGraphology',
];

const parser = new TSDocParser(new TSDocConfiguration());

interface Documented {
  readonly name: string;
  readonly node: ts.Node;
}

/** The comment right before a declaration; undefined where there is none. */
function commentOf(node: ts.Node): string | undefined {
  const text = node.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  return comments.map(({ pos, end }) => text.slice(pos, end)).findLast((one) => one.startsWith('/**'));
}

/** An export, and what it is made of that users see: each needs a comment of its own. */
function documentedIn(name: string, statement: ts.Statement): Documented[] {
  const members =
    ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement) ? [...statement.members]
      : ts.isTypeAliasDeclaration(statement) && ts.isTypeLiteralNode(statement.type) ? [...statement.type.members]
        : [];
  const own = members.filter((one) => one.name === undefined || !ts.isPrivateIdentifier(one.name));
  return [
    { name, node: statement },
    ...own.map((node) => ({ name: `${name}.${node.name?.getText() ?? 'constructor'}`, node })),
  ];
}

/** A function, a method, or a value that can be called. */
function signatureOf(node: ts.Node): ts.SignatureDeclarationBase | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node)) return node;
  const type = ts.isVariableStatement(node) ? node.declarationList.declarations[0].type : undefined;
  return type !== undefined && ts.isFunctionTypeNode(type) ? type : undefined;
}

function wordsOf(node: DocNode): string {
  const own = 'text' in node && typeof node.text === 'string' ? node.text : '';
  return own + node.getChildNodes().map(wordsOf).join('');
}

/** What is missing in the comment of a function, by the tags of TSDoc. */
function missingTags(name: string, signature: ts.SignatureDeclarationBase, comment: DocComment): string[] {
  const missing = signature.parameters
    .map((parameter) => parameter.name.getText())
    .filter((parameter) => comment.params.tryGetBlockByName(parameter) === undefined)
    .map((parameter) => `${name}: has no @param ${parameter}`);
  const returns = signature.type?.getText() ?? 'void';
  if (!/^(Promise<)?void>?$/.test(returns) && comment.returnsBlock === undefined)
    missing.push(`${name}: has no @returns`);
  const throws = comment.customBlocks.some(({ blockTag }) => blockTag.tagName === '@throws');
  if (throws === neverThrows.includes(name))
    missing.push(`${name}: ${throws ? 'is in the list of what throws nothing' : 'has no @throws'}`);
  return missing;
}

function faultsOf({ name, node }: Documented): string[] {
  const text = commentOf(node);
  if (text === undefined) return [`${name}: has no comment`];
  const { docComment, log } = parser.parseString(text);
  const faults = log.messages.map((message) => `${name}: ${message.unformattedText}`);
  if (wordsOf(docComment.summarySection).trim() === '') faults.push(`${name}: has no summary`);
  const signature = signatureOf(node);
  return signature === undefined ? faults : [...faults, ...missingTags(name, signature, docComment)];
}

describe.each(doors)('$specifier', (door) => {
  const source = readFileSync(join(root, 'src', `${door.file}.ts`), 'utf8');

  test('is an explicit list, with an example', () => {
    const { statements } = ts.createSourceFile(`${door.file}.ts`, source, ts.ScriptTarget.Latest);
    const strange = statements.filter(
      (one) => !ts.isExportDeclaration(one) || one.exportClause === undefined || !ts.isNamedExports(one.exportClause),
    );
    expect(strange).toEqual([]);
    expect(exampleOf(door)).toContain(`from '${door.specifier}'`);
  });

  test('every export is documented', () => {
    const all = [...built.exportsOf(door)].flatMap(([name, statements]) =>
      statements.flatMap((statement) => documentedIn(name, statement)));
    expect(all.flatMap(faultsOf)).toEqual([]);
  });

  test('exports what its report says', () => {
    const report = readFileSync(join(root, door.report), 'utf8');
    expect(reportOf(built, door), 'changed on purpose? npm run api writes the reports anew').toBe(report);
  });
});

test('there are few names, and only names about keys are in two doors', () => {
  const names = doors.flatMap((door) => [...built.exportsOf(door).keys()]);
  expect(names.length).toBeLessThanOrEqual(85);
  const repeated = names.filter((name, i) => names.indexOf(name) < i);
  // Queues take keys, and policies make them.
  expect(repeated.sort()).toEqual(['keyLimit', 'keyOfScore']);
});

test('doors and examples compile under the strictest settings', () => {
  expect(built.faults()).toEqual([]);
});
