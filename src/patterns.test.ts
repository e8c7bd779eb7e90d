import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visitRegExpAST } from '@eslint-community/regexpp';
import { isDisjointWith, JS, NFA } from 'refa';
import { analyse } from 'scslre';
import { parseAst, Visitor } from 'vite';
import { expect, test } from 'vitest';

/**
 * A pattern whose time grows faster than its text stops every call while it searches what a stranger wrote: some kilobytes
 * of blanks for seconds, a name of thirty signs for hours.
 */

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/(?:testing|simulator)\//.test(file));

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Whether one text can be read by two alternatives of a repetition: a row of such texts is tried in every combination. */
const isAmbiguous = (pattern: Pattern): boolean => {
  const parser = JS.Parser.fromLiteral(pattern);
  const graphOf = (part: JS.ParsableElement): NFA => {
    const { expression, maxCharacter } = parser.parseElement(part, {
      assertions: 'parse',
      backreferences: 'disable',
    });
    return NFA.fromRegex(expression, { maxCharacter }, { assertions: 'disable' });
  };
  let found = false;
  visitRegExpAST(parser.ast.pattern, {
    onQuantifierEnter({ max, element }) {
      if (max !== Infinity || !('alternatives' in element)) return;
      const graphs = element.alternatives.map(graphOf);
      found ||= graphs.some((graph, at) =>
        graphs.slice(at + 1).some((other) => !isDisjointWith(graph, other)),
      );
    },
  });
  return found;
};

const isSlow = (pattern: Pattern): boolean => analyse(pattern).reports.length > 0 || isAmbiguous(pattern);

/** The patterns a file writes down, and whether it also makes some of texts. */
const patternsOf = (file: string): { readonly written: readonly Pattern[]; readonly makes: boolean } => {
  const written: Pattern[] = [];
  let makes = false;
  new Visitor({
    Literal(node) {
      if ('regex' in node) written.push({ source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression({ callee }) {
      makes ||= callee.type === 'Identifier' && callee.name === 'RegExp';
    },
  }).visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return { written, makes };
};

/** Each file is parsed once for all tests, which is most of their work. */
const found = files.map((file) => ({ file, ...patternsOf(file) }));

test('the check knows patterns that are slow', () => {
  const slow = [/\/+$/, /^(?:a|a)*$/, /:[ \t]*([\x20-\x7e]*)$/, /\s*--fast/];
  expect(slow.map(isSlow)).toEqual(slow.map(() => true));
  expect(isSlow(/^(?:[^\S\t]|[\p{Cf}"])*x/u)).toBe(true);
  expect([/(?<!\s)\s*--fast/, /:.*/s, /^\/+/].map(isSlow)).toEqual([false, false, false]);
});

test('no pattern takes more than linear time', () => {
  const slow = found.flatMap(({ file, written }) =>
    written.filter(isSlow).map(({ source }) => `${file}: /${source}/`),
  );
  expect(slow).toEqual([]);
});

/** Runs in a process of its own: here a file may be loaded already, with its patterns made. */
const MADE_BY = `
  const made = [];
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, given) {
      const pattern = new target(...given);
      made.push({ source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  for (const file of process.argv.slice(1)) await import(file);
  console.log(JSON.stringify(made));
  process.exit();
`;

test('no pattern that a file makes when it is loaded takes more than linear time', () => {
  const makers = found.filter(({ file, makes }) => makes && !file.startsWith('src/console/'));
  const paths = makers.map(({ file }) => join(root, file));
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', MADE_BY, '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  });
  const made = JSON.parse(printed) as readonly Pattern[];
  expect(made.length).toBeGreaterThan(makers.length / 2);
  expect(made.filter(isSlow).map(({ source }) => source)).toEqual([]);
});
