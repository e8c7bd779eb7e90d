import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { configFromEnvironment } from '../src/server/config.ts';
import { fillWithDemo, serveUntilSignal, startServer } from '../src/server/main.ts';
import { startProblem } from '../src/server/start-problem.ts';
import { startPayments } from '../src/simulator/payment/start.ts';
import { startSimulator } from '../src/simulator/start.ts';

/** The demo's fake upstream answers at the pace of a real one. */
const DEMO_TOKENS_PER_SECOND = 80;

/** The account at the demo's fake payment gateway, which charges no real money. */
const MERCHANT = { merchantId: '1000', key: 'demo-merchant-key' };

/** The demo has its own data folder and starts empty each time, so it never touches real data. */
const demo = async (): Promise<void> => {
  const config = configFromEnvironment();
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

/** Serves the demo, or prints in a sentence why it cannot. */
export const serveDemo = async (): Promise<void> => {
  try {
    await demo();
  } catch (error) {
    throw new Error(startProblem(error), { cause: error });
  }
};
