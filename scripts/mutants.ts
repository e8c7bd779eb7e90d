import { parseAst } from 'vite';

/** The kind of change: `await` removed, arguments swapped, or another. */
export const mutantKinds = ['await', 'arguments', 'rest'] as const;
export type MutantKind = (typeof mutantKinds)[number];

/** One small change to a file that its tests should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly instead: string;
  readonly kind: MutantKind;
  /** `a < b → a <= b`, shortened to a line. */
  readonly what: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The replacement of each operator. */
const INSTEAD: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Type nodes have no effect at run time, except these, which wrap an expression. */
const WRAPPERS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

const isText = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string'));

type Change = readonly [from: number, to: number, text: string];

/** The possible changes of one node: the place of each and its replacement. */
const changesOf = (node: Node, code: string, functions: ParameterTypes): readonly Change[] => {
  const { left, right, operator, argument } = node;
  if (typeof operator === 'string' && isNode(left) && isNode(right)) {
    const instead = INSTEAD[operator];
    // Concatenated texts are not changed.
    if (instead === undefined || (operator.startsWith('+') && (isText(left) || isText(right)))) return [];
    const at = code.indexOf(operator, left.end);
    return at < right.start ? [[at, at + operator.length, instead]] : [];
  }
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    return swappedArguments(node, code, functions);
  if (node.type === 'UnaryExpression' && operator === '!' && isNode(argument))
    return [[node.start, node.start + 1, '']];
  if (node.type === 'ExpressionStatement' && typeof node['directive'] !== 'string')
    return [[node.start, node.end, ';'], ...awaitLeftOut(node)];
  if (node.type === 'IfStatement' && node['alternate'] === null) return [[node.start, node.end, ';']];
  if (node.type === 'Literal' && typeof node['value'] === 'boolean')
    return [[node.start, node.end, String(!node['value'])]];
  return [];
};

/** Removes `await`, only where the value is unused; elsewhere the compiler would notice. */
const awaitLeftOut = ({ expression }: Node): readonly Change[] =>
  isNode(expression) && expression.type === 'AwaitExpression' && isNode(expression['argument'])
    ? [[expression.start, expression.start + 'await'.length, 'void']]
    : [];

/** The parameter types of functions as written, by function name; undefined if two functions share the name. */
export type ParameterTypes = ReadonlyMap<string, readonly string[] | undefined>;

/** The type of a parameter as written, or of its default value; empty if neither states it. */
const typeOf = (parameter: unknown, code: string): string => {
  if (!isNode(parameter)) return '';
  const { typeAnnotation, left, right } = parameter;
  if (isNode(typeAnnotation)) return code.slice(typeAnnotation.start + 1, typeAnnotation.end).trim();
  if (parameter.type !== 'AssignmentPattern' || !isNode(right)) return '';
  return typeOf(left, code) || (right.type === 'Literal' ? typeof right['value'] : '');
};

const parametersOf = (made: unknown): readonly unknown[] | undefined =>
  isNode(made) && Array.isArray(made['params']) ? made['params'] : undefined;

const nameOf = (named: unknown): string =>
  isNode(named) && typeof named['name'] === 'string' ? named['name'] : '';

/** The functions, methods and constructors that these files declare. */
export const parameterTypes = (files: readonly (readonly [file: string, code: string])[]): ParameterTypes => {
  const found = new Map<string, readonly string[] | undefined>();
  for (const [file, code] of files) {
    const add = (name: string, parameters: readonly unknown[] | undefined): void => {
      if (name === '' || parameters === undefined) return;
      const types = parameters.map((parameter) => typeOf(parameter, code));
      const known = found.get(name);
      const isSame = !found.has(name) || known?.join() === types.join();
      found.set(name, isSame ? types : undefined);
    };
    const visit = (value: unknown, owner: string): void => {
      if (Array.isArray(value)) return value.forEach((one) => visit(one, owner));
      if (!isNode(value)) return;
      const { type, id, init, key, value: made } = value;
      if (type === 'VariableDeclarator') add(nameOf(id), parametersOf(init));
      if (type === 'FunctionDeclaration') add(nameOf(id), parametersOf(value));
      if (type === 'MethodDefinition' || type === 'PropertyDefinition')
        add(value['kind'] === 'constructor' ? owner : nameOf(key), parametersOf(made));
      for (const child of Object.values(value))
        visit(child, type === 'ClassDeclaration' ? nameOf(id) : owner);
    };
    visit(parsedCode(file, code), '');
  }
  return found;
};

/** Swaps neighbouring arguments of the same type, which the compiler cannot notice. */
const swappedArguments = (
  { callee, arguments: given }: Node,
  code: string,
  functions: ParameterTypes,
): readonly Change[] => {
  if (!isNode(callee) || !Array.isArray(given)) return [];
  const types = functions.get(nameOf(callee.type === 'MemberExpression' ? callee['property'] : callee)) ?? [];
  return given.flatMap((one: unknown, at): readonly Change[] => {
    const next: unknown = given[at + 1];
    const isAlike = types[at] !== undefined && types[at] !== '' && types[at] === types[at + 1];
    if (!isAlike || !isNode(one) || !isNode(next)) return [];
    const [first, second] = [code.slice(one.start, one.end), code.slice(next.start, next.end)];
    const between = code.slice(one.end, next.start);
    return first === second ? [] : [[one.start, next.end, second + between + first]];
  });
};

const parsedCode = (file: string, code: string): unknown =>
  parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body;

const kindOf = ({ type }: Node, instead: string): MutantKind => {
  if (instead === 'void') return 'await';
  return type === 'CallExpression' || type === 'NewExpression' ? 'arguments' : 'rest';
};

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}...` : line;
};

/**
 * All mutants of a file: comparisons and sums flipped, && and || swapped, statements, conditions and `await` dropped,
 * arguments of one type swapped.
 */
export const mutantsOf = (file: string, code: string, functions: ParameterTypes): Mutant[] => {
  const found: Mutant[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value) || (value.type.startsWith('TS') && !WRAPPERS.has(value.type))) return;
    for (const [from, to, instead] of changesOf(value, code, functions)) {
      const line = code.slice(0, from).split('\n').length;
      const [start, end] = [Math.max(value.start, from - 30), Math.min(value.end, to + 30)];
      const after = instead === ';' ? '(nothing)' : code.slice(start, from) + instead + code.slice(to, end);
      found.push({
        file,
        line,
        from,
        to,
        instead,
        kind: kindOf(value, instead),
        what: `${oneLine(code.slice(start, end))}  →  ${oneLine(after)}`,
      });
    }
    for (const [key, child] of Object.entries(value)) if (key !== 'typeAnnotation') visit(child);
  };
  visit(parsedCode(file, code));
  return found;
};

/** A random sample, the same for the same seed (mulberry32). */
export const chosen = <Item>(items: readonly Item[], count: number, seed: number): Item[] => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const left = [...items];
  const taken: Item[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(next() * left.length), 1));
  return taken;
};
