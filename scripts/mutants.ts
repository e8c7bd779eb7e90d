import { parseAst } from 'vite';

/** One small change to a file that its tests should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly instead: string;
  /** `a < b → a <= b`, shortened to a line. */
  readonly what: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** What each operator becomes. */
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

/** Types say nothing at run time; these alone wrap something that does. */
const WRAPPERS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

const isText = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string'));

/** The changes that can be made to one node: the place of each, and what stands there instead. */
const changesOf = (
  node: Node,
  code: string,
): readonly (readonly [from: number, to: number, text: string])[] => {
  const { left, right, operator, argument } = node;
  if (typeof operator === 'string' && isNode(left) && isNode(right)) {
    const instead = INSTEAD[operator];
    // A text put together is not counted.
    if (instead === undefined || (operator.startsWith('+') && (isText(left) || isText(right)))) return [];
    const at = code.indexOf(operator, left.end);
    return at < right.start ? [[at, at + operator.length, instead]] : [];
  }
  if (node.type === 'UnaryExpression' && operator === '!' && isNode(argument))
    return [[node.start, argument.start, '']];
  if (node.type === 'ExpressionStatement' && node['directive'] === undefined)
    return [[node.start, node.end, ';']];
  if (node.type === 'IfStatement' && node['alternate'] === null) return [[node.start, node.end, ';']];
  if (node.type === 'Literal' && typeof node['value'] === 'boolean')
    return [[node.start, node.end, String(!node['value'])]];
  return [];
};

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}...` : line;
};

/** All mutants of a file: comparisons and sums flipped, && and || swapped, statements and conditions dropped. */
export const mutantsOf = (file: string, code: string): Mutant[] => {
  const found: Mutant[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value) || (value.type.startsWith('TS') && !WRAPPERS.has(value.type))) return;
    for (const [from, to, instead] of changesOf(value, code)) {
      const line = code.slice(0, from).split('\n').length;
      const [start, end] = [Math.max(value.start, from - 30), Math.min(value.end, to + 30)];
      const after = instead === ';' ? '(nothing)' : code.slice(start, from) + instead + code.slice(to, end);
      found.push({
        file,
        line,
        from,
        to,
        instead,
        what: `${oneLine(code.slice(start, end))}  →  ${oneLine(after)}`,
      });
    }
    for (const [key, child] of Object.entries(value)) if (key !== 'typeAnnotation') visit(child);
  };
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body);
  return found;
};

/** Some of them, the same for the same seed (mulberry32). */
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
