import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A public door: what users of the package import, and the declarations behind it. */
export interface Door {
  readonly specifier: string;
  /** Its file under `src/`, and the file with its types under `dist/types/`, without extension. */
  readonly file: string;
  readonly report: string;
}

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** The doors that package.json has, in its order. */
export const doors: readonly Door[] = Object.entries(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson).exports,
).flatMap(([path, target]) => {
  if (typeof target === 'string') return [];
  const specifier = join('orbweaver', path);
  const file = target.types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, '$1');
  return [{ specifier, file, report: `test/api/${specifier.replace('/', '-')}.api.txt` }];
});

/** The strictest settings that a user may have. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023, lib: ['lib.es2023.d.ts'], types: ['node'],
  module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noEmit: true, skipLibCheck: false,
  strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true, verbatimModuleSyntax: true,
};

/** The doors as they were built, and the examples in their comments, as one program of a user's. */
export class BuiltDoors {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor() {
    const examples = new Map(doors.map((door) => [exampleFile(door), exampleOf(door)]));
    this.#program = ts.createProgram([...doors.map(builtFile), ...examples.keys()], options, hostWith(examples));
    this.#checker = this.#program.getTypeChecker();
  }

  /** What the compiler says of our declarations and of the examples; those of other packages are theirs. */
  faults(): string[] {
    const ours = this.#program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'));
    return ours.flatMap((file) => {
      const found = [...this.#program.getSyntacticDiagnostics(file), ...this.#program.getSemanticDiagnostics(file)];
      return found.map(({ messageText }) => `${file.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    });
  }

  /** The statements that declare each export of a door, by its name. */
  exportsOf(door: Door): ReadonlyMap<string, readonly ts.Statement[]> {
    const file = this.#program.getSourceFile(builtFile(door))!;
    const symbols = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(file)!);
    const byName = symbols.map((symbol) => [symbol.name, this.#statementsOf(symbol)] as const);
    return new Map(byName.sort(([one], [other]) => compare(one, other)));
  }

  /** Declarations of ours that others refer to, directly or not, and that are not among these, by name. */
  reachedFrom(statements: Iterable<ts.Statement>): ts.Statement[] {
    const seen = new Set(statements);
    const own = seen.size;
    for (const statement of seen) {
      if (isComputed(statement)) continue;
      const visit = (node: ts.Node): void => {
        const symbol = ts.isIdentifier(node) ? this.#checker.getSymbolAtLocation(node) : undefined;
        if (symbol !== undefined) for (const one of this.#statementsOf(symbol)) seen.add(one);
        node.forEachChild(visit);
      };
      visit(statement);
    }
    return [...seen].slice(own).sort((one, other) => compare(this.textOf(one), this.textOf(other)));
  }

  /** A declaration without comments; a type that is computed from a schema or a list, as what comes out. */
  textOf(statement: ts.Statement): string {
    const print = (node: ts.Node): string =>
      printer.printNode(ts.EmitHint.Unspecified, node, statement.getSourceFile());
    if (!isComputed(statement)) return print(statement).replace(/^(export )?(declare )?/, '');
    const type = this.#checker.typeToTypeNode(this.#checker.getTypeAtLocation(statement.name), statement, typeFormat);
    return `type ${statement.name.text} = ${print(sorted(type!))};`;
  }

  /** Statements at the top of our files that declare what a symbol stands for. */
  #statementsOf(symbol: ts.Symbol): ts.Statement[] {
    const meant = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return (meant.declarations ?? []).flatMap((declaration) => {
      const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
      const isOurs = statement.getSourceFile().fileName.startsWith(join(root, 'dist/types'));
      return isOurs && ts.isStatement(statement) && ts.isSourceFile(statement.parent) ? [statement] : [];
    });
  }
}

const printer = ts.createPrinter({ removeComments: true });
const { NoTruncation, InTypeAlias, MultilineObjectLiterals } = ts.NodeBuilderFlags;
const typeFormat: ts.NodeBuilderFlags = NoTruncation | InTypeAlias | MultilineObjectLiterals;

/** The compiler lists members of a union in the order in which it met them anywhere. */
function sorted(type: ts.TypeNode): ts.TypeNode {
  const visit = (node: ts.Node): ts.Node => {
    const inner = ts.visitEachChild(node, visit, undefined);
    if (!ts.isUnionTypeNode(inner)) return inner;
    const rank = (member: ts.TypeNode): string =>
      ts.isLiteralTypeNode(member) && ts.isStringLiteral(member.literal) ? member.literal.text : '';
    const types = [...inner.types];
    return ts.factory.createUnionTypeNode(types.sort((one, other) => compare(rank(one), rank(other))));
  };
  return visit(type) as ts.TypeNode;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function isComputed(statement: ts.Statement): statement is ts.TypeAliasDeclaration {
  return ts.isTypeAliasDeclaration(statement) && /\bz\.(in|out)put<|\btypeof /.test(statement.type.getText());
}

/** The example in the comment of a door. */
export function exampleOf({ file }: Door): string {
  const text = readFileSync(join(root, 'src', `${file}.ts`), 'utf8');
  const [, block = ''] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(text) ?? [];
  return block.replace(/^ \* ?/gm, '');
}

const builtFile = ({ file }: Door): string => join(root, 'dist/types', `${file}.d.ts`);

/** No such file is written; here it would find the package by its own name. */
const exampleFile = ({ file }: Door): string => join(root, `example-of-${file}.ts`);

function hostWith(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  // Most of Node's declarations are comments; nothing here asks the compiler for any.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, language, ...rest) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, language, ...rest) : ts.createSourceFile(name, text, language);
  };
  return host;
}

/** What a door gives its users, as a text to compare with. */
export function reportOf(built: BuiltDoors, door: Door): string {
  const exported = built.exportsOf(door);
  const statements = [...exported.values()].flat();
  const title = `// ${door.specifier}: ${exported.size} exports of src/${door.file}.ts`;
  const rest = '// Reached from these, without an export of their own';
  const textsOf = (all: readonly ts.Statement[]): string[] => all.map((one) => built.textOf(one));
  const parts = [title, ...textsOf(statements), rest, ...textsOf(built.reachedFrom(statements))];
  return `${parts.join('\n\n')}\n`;
}
