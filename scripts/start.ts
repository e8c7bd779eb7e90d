import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { configFromEnvironment, type Config } from '../src/server/config.ts';
import { fillWithDemo, serveUntilSignal, startServer } from '../src/server/main.ts';
import { startProblem } from '../src/server/start-problem.ts';
import { startPayments } from '../src/simulator/payment/start.ts';
import { startSimulator } from '../src/simulator/start.ts';
import { projectRoot, runCommand } from './run-command.ts';

/** `npm start`: builds the console when it is missing or older than its sources, then serves. `--demo` shows it full. */

const builtPage = join(projectRoot, 'dist/console/index.html');
const consoleSources = ['src/console', 'src/contract', 'vite.config.ts', 'package-lock.json'];
/** Answers of the demo's fake upstream come at the pace of a real one. */
const DEMO_TOKENS_PER_SECOND = 80;

/** The account at the demo's fake cashier, where nobody is charged. */
const MERCHANT = { merchantId: '1000', key: 'demo-merchant-key' };

const newestMs = async (path: string): Promise<number> => {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const times = await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mtimeMs),
  );
  return Math.max(found.mtimeMs, ...times);
};

const isBuilt = async (): Promise<boolean> => {
  if (!existsSync(builtPage)) return false;
  const times = await Promise.all(consoleSources.map((path) => newestMs(join(projectRoot, path))));
  return Math.max(...times) <= (await stat(builtPage)).mtimeMs;
};

const buildConsole = async (): Promise<void> => {
  if (await isBuilt()) return;
  console.log('Building the console, once ...');
  const { code, output } = await runCommand('vite', ['build']);
  if (code === 0) return;
  console.error(output);
  throw new Error('the console could not be built');
};

const serve = async (config: Config): Promise<void> => {
  const server = await startServer(config);
  serveUntilSignal(server);
  console.log(`Tollgate serves on ${server.url}`);
  if (server.setupLink !== undefined) console.log(`Make the super admin here, once: ${server.setupLink}`);
};

/** The demo keeps its own data and starts anew each time, so it never touches real data. */
const demo = async (config: Config): Promise<void> => {
  const simulator = await startSimulator({ speed: DEMO_TOKENS_PER_SECOND });
  const payments = await startPayments(MERCHANT.merchantId, MERCHANT.key);
  const dataDir = join(config.dataDir, 'demo');
  await rm(dataDir, { recursive: true, force: true });
  const server = await startServer({
    ...config,
    databaseUrl: '',
    dataDir,
    masterKey: '',
    masterKeyFile: '',
    allowPrivateUpstreams: true,
  });
  serveUntilSignal(server);
  const { root, user, key } = await fillWithDemo(server, simulator.url, {
    ...MERCHANT,
    gatewayUrl: payments.url,
  });
  console.log(`
Tollgate's demo serves on ${server.url}
  super admin  ${root.username}  password ${root.password}
  user         ${user.username}  password ${user.password}
  fake upstream ${simulator.url}
  fake cashier  ${payments.url}

Try it:
  curl ${server.url}/v1/chat/completions \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"model":"gpt-4o-mini","stream":true,"messages":[{"role":"user","content":"Hello"}]}'
`);
};

try {
  const config = configFromEnvironment();
  await buildConsole();
  await (process.argv.includes('--demo') ? demo(config) : serve(config));
} catch (error) {
  console.error(startProblem(error));
  process.exit(1);
}
