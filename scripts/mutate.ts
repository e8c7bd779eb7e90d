import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { chosen, type Mutant, mutantKinds, mutantsOf, parameterTypes } from './mutants.ts';
import { projectRoot } from './run-command.ts';

/**
 * Makes small changes to the code, one at a time, in a copy of this tree, and lists those that no test noticed. Runs the unit
 * tests that depend on the changed file and, if they all pass, the files given by `--also`.
 */

const HELP = `npm run mutate -- --files <glob> [--count 100] [--seed 1] [--kind ${mutantKinds.join('|')}]
  [--also <test file>] [--seconds 120] [--list]
--files, --kind and --also may stand several times`;

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '100' },
    kind: { type: 'string', multiple: true, default: [...mutantKinds] },
    seed: { type: 'string', default: '1' },
    also: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '120' },
    list: { type: 'boolean', default: false },
  },
});
const { files: globs, also } = values;
if (globs.length === 0) {
  console.error(HELP);
  process.exit(2);
}

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');

const isCode = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.(test|worker|d)\.tsx?$|\/testing\//.test(file);

const codeOf = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const files = tracked.filter((file) => isCode(file) && globs.some((glob) => matchesGlob(file, glob)));
const functions = parameterTypes(
  tracked.filter((file) => isCode(file) && file.startsWith('src/')).map((file) => [file, codeOf(file)]),
);
const all = files
  .flatMap((file) => mutantsOf(file, codeOf(file), functions))
  .filter(({ kind }) => values.kind.includes(kind));
const mutants = chosen(all, Number(values.count), Number(values.seed));

console.log(`${mutants.length} of ${all.length} mutants of ${files.length} files, seed ${values.seed}`);
const titleOf = ({ file, line, what }: Mutant): string => `${file}:${line}  ${what}`;
if (values.list) {
  for (const mutant of mutants) console.log(titleOf(mutant));
  process.exit(0);
}

const copy = mkdtempSync(join(tmpdir(), 'tollgate-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
for (const file of tracked) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(join(projectRoot, file), join(copy, file), { force: true });
}
symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));

/** The output of the last run. */
let printed: string[] = [];
type Verdict = 'killed' | 'survived' | 'too slow';

/** Whether these tests pass in the copy. A run that takes too long is killed with all its workers. */
const test = (args: readonly string[]): Promise<Verdict> =>
  new Promise((resolve) => {
    const child = spawn(
      join(projectRoot, 'node_modules/.bin/vitest'),
      [...args, '--run', '--bail', '1', '--passWithNoTests', '--reporter', 'dot'],
      { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    printed = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => printed.push(part.toString()));
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      },
      Number(values.seconds) * 1000,
    );
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(isLate ? 'too slow' : code === 0 ? 'survived' : 'killed');
    });
  });

const verdictOn = async (changed: readonly string[]): Promise<Verdict> => {
  let verdict = await test(['related', ...changed, '--project', 'unit', '--project', 'console']);
  // One after the other, because Vitest refuses to run projects of different settings together.
  for (const file of also) if (verdict === 'survived') verdict = await test([file]);
  return verdict;
};

if ((await verdictOn(files)) !== 'survived') {
  console.error(`${printed.join('')}\nthe tests fail, or take longer than --seconds, without any change`);
  process.exit(1);
}
const counts: Record<Verdict, number> = { killed: 0, survived: 0, 'too slow': 0 };
for (const mutant of mutants) {
  const code = codeOf(mutant.file);
  const place = join(copy, mutant.file);
  writeFileSync(place, code.slice(0, mutant.from) + mutant.instead + code.slice(mutant.to));
  const verdict = await verdictOn([mutant.file]);
  writeFileSync(place, code);
  counts[verdict] += 1;
  console.log(`${verdict.padEnd(9)} ${titleOf(mutant)}`);
}
console.log(`${counts.killed} killed, ${counts['too slow']} ran too long, ${counts.survived} survived`);
