import { existsSync } from 'node:fs';
import { findChromium, installChromium } from '../e2e/support/chromium.ts';
import { installRedis } from '../e2e/support/redis.ts';
import { readingStages, unitTests } from './check-stages.ts';
import { projectRoot, runCommand } from './run-command.ts';
import { command, runStages, skipped, type Stage } from './stage.ts';
import { vitest } from './vitest-stage.ts';

/** Built once for the bundle budgets, the browser journeys, and the tests that start the server. */
let building: ReturnType<typeof runCommand> | undefined;
const built = (): ReturnType<typeof runCommand> =>
  (building ??= runCommand('npm', ['run', '--silent', 'build']));

const afterBuild = (stage: Stage): Stage => ({
  name: stage.name,
  run: () => built().then(() => stage.run()),
});

/** Tests of whole servers use the built one, as operators run it. */
const onBuiltServer = { env: { TOLLGATE_SERVER: 'dist/server/main.js' } } as const;

const bundleBudgets: Stage = {
  name: "build, and the console's budgets",
  run: async () => {
    const build = await built();
    if (build.code !== 0) return { passed: 0, failed: 1, skipped: 0, output: build.output };
    return command('', 'node', ['scripts/check-bundle.ts']).run();
  },
};

const journeys: Stage = {
  name: 'journeys in a real browser',
  run: async () => {
    const reason = installChromium();
    if (reason !== undefined) return skipped(reason);
    await built();
    const tally = await vitest('', 'journeys', { ...onBuiltServer, repeatsUnsteady: true }).run();
    return { ...tally, note: [`in ${findChromium()}`, tally.note ?? ''].join('\n      ').trimEnd() };
  },
};

const crashes = (name: string, engine: string, rounds: number): Stage => {
  const args = ['e2e/crash/main.ts', '--rounds', String(rounds), '--engine', engine];
  const stage = command(`crashes, ${name}`, 'node', args, { isTelling: true, ...onBuiltServer });
  return afterBuild(stage);
};

const clients: Stage = {
  name: 'client programs',
  run: async () =>
    existsSync(`${projectRoot}/e2e/clients/node_modules`)
      ? vitest('', 'clients').run()
      : skipped('not installed: `npm run clients` does that'),
};

/** Tests that need Redis are skipped by name if it is missing and cannot be installed. */
const withRedis = (stage: Stage): Stage => ({
  name: stage.name,
  run: async () => {
    const reason = installRedis();
    const tally = await stage.run();
    return reason === undefined
      ? tally
      : { ...tally, note: `${reason}\n      ${tally.note ?? ''}`.trimEnd() };
  },
});

/** Arguments select parts: `npm test -- faults`. */
const wanted = process.argv.slice(2);

const isWanted = (stage: Stage): boolean =>
  wanted.length === 0 || wanted.some((word) => stage.name.includes(word));

/** The longest first, so that no long one runs alone at the end. */
const stages: readonly Stage[] = [
  bundleBudgets,
  journeys,
  withRedis(
    afterBuild(vitest('server, started for real', 'server', { ...onBuiltServer, repeatsUnsteady: true })),
  ),
  withRedis(afterBuild(vitest('faults of upstreams', 'faults', { ...onBuiltServer, repeatsUnsteady: true }))),
  afterBuild(vitest('store, SQLite and PostgreSQL', 'store', onBuiltServer)),
  ...unitTests,
  crashes('SQLite', 'sqlite', 25),
  ...readingStages,
  afterBuild(vitest('charges of an official client', 'charges', onBuiltServer)),
  afterBuild(vitest('every kind of upstream', 'providers', onBuiltServer)),
  crashes('PostgreSQL', 'postgres', 5),
  clients,
];

if (!existsSync(`${projectRoot}/node_modules`)) throw new Error('run "npm ci" first');
process.exitCode = await runStages(stages.filter(isWanted));
