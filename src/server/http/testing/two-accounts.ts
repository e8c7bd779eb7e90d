import { role } from '#contract/codes.ts';
import OpenAI from 'openai';
import { readConfig } from '../../config.ts';
import { startServer } from '../../main.ts';
import { startSimulator } from '../../../simulator/start.ts';
import { payingKey } from './paying-key.ts';
import { setStage } from './stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './test-config.ts';

/**
 * Two accounts at one fake upstream serve the same model; neither knows what the other has stored. Alice and Bob pay.
 */
export const startTwoAccounts = async (model: string, unitsOfAlice?: number, relays = 2) => {
  const folder = temporaryFolder();
  // What was made through one relay may be requested through another.
  const environment = { ...testEnvironment(folder.path), TOLLGATE_RELAYS: String(relays) };
  const start = () => startServer(readConfig(environment), { log: keptLog() });
  const simulator = await startSimulator();
  let server = await start();
  let stage = await setStage(server);
  const root = await stage.person('root', role.root);
  await server.parts.stores.options.set('ModelRatio', JSON.stringify({ [model]: 1 }), 1);
  for (const key of ['sk-first-account', 'sk-second-account'])
    await stage.channel(root, { type: 1, baseUrl: simulator.url, models: model, key });
  const alice = await stage.person('alice');
  const aliceKey = await payingKey(server, alice, unitsOfAlice);
  const bobKey = await payingKey(server, await stage.person('bob'));
  return {
    simulator,
    server: () => server,
    stage: () => stage,
    /** Restarts the server with the same data. */
    restart: async (): Promise<void> => {
      await server.stop();
      server = await start();
      stage = await setStage(server);
    },
    root,
    alice,
    aliceKey,
    bobKey,
    client: (key = aliceKey): OpenAI =>
      new OpenAI({ baseURL: `${server.url}/v1`, apiKey: `sk-${key}`, maxRetries: 0 }),
    /** A call below `/v1/responses`. */
    ask: async (method: string, path: string, key = aliceKey, body?: object) => {
      const answer = await fetch(`${server.url}/v1/responses${path}`, {
        method,
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    stop: async (): Promise<void> => {
      await server.stop();
      await simulator.stop();
      folder.remove();
    },
  };
};

/** The error in a refusal of the Responses API. */
export const errorOf = ({ text }: { readonly text: string }): Record<string, unknown> =>
  (JSON.parse(text) as { error: Record<string, unknown> }).error;
