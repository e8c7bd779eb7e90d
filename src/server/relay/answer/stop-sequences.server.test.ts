import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** Stop sequences asked of models that are only reached by Responses, a format that knows none. */

const folder = temporaryFolder();
let simulator: RunningSimulator;
let server: RunningServer;
let stage: Stage;
let key: string;

beforeAll(async () => {
  simulator = await startSimulator();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  await server.parts.stores.options.set('ModelRatio', JSON.stringify({ 'o3-pro': 1, 'gpt-4o': 1 }), 1);
  const root = await stage.person('root', role.root);
  await stage.channel(root, { type: 1, baseUrl: simulator.url, models: 'o3-pro,gpt-4o' });
  key = await stage.spendingKey(await stage.person('alice'));
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  folder.remove();
});

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${stage.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The text and the end in an event of a message. */
interface Told {
  readonly delta?: { readonly text?: string; readonly stop_reason?: string };
  readonly usage?: object;
}

const newestLog = async () => (await server.parts.stores.logs.page({}, { page: 1, pageSize: 1 })).items[0];

const messages = [{ role: 'user', content: 'say one two three four' }];
const chat = { model: 'o3-pro', messages, stop: ['o thr'] };

it('end a whole answer at their position, and it is charged by its report', async () => {
  const answer = (await (await post('/v1/chat/completions', chat)).json()) as Record<string, unknown>;
  expect(answer['choices']).toMatchObject([{ message: { content: 'one tw' }, finish_reason: 'stop' }]);
  expect(answer['usage']).toMatchObject({ prompt_tokens: 9, completion_tokens: 4 });
  expect(await newestLog()).toMatchObject({ promptTokens: 9, completionTokens: 4, quotaUnits: 9 + 4 * 4 });
  const { last } = await simulator.calls();
  expect(last?.path).toBe('/v1/responses');
  expect(last?.body).not.toHaveProperty('stop');
});

it('end a stream at their position, even across pieces, and are named to Messages callers', async () => {
  const body = {
    model: 'o3-pro',
    max_tokens: 100,
    messages,
    stop_sequences: ['zero', 'o thr'],
    stream: true,
  };
  const text = await (await post('/v1/messages', body)).text();
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Told);
  expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe('one tw');
  const end = events.find(({ delta }) => delta?.stop_reason !== undefined);
  expect(end?.delta).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'o thr' });
  // What was said is counted where the upstream was stopped before it told.
  expect(end?.usage).toMatchObject({ input_tokens: 9, output_tokens: 4 });
});

it('stop the upstream, and the text until then is charged', async () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ');
  const long = {
    ...chat,
    messages: [{ role: 'user', content: `say ${words}` }],
    stop: ['word7 '],
    stream: true,
  };
  const text = await (await post('/v1/chat/completions', long)).text();
  expect(text).toContain('"finish_reason":"stop"');
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  await expect.poll(async () => (await simulator.calls()).last?.state).toBe('cut');
  // The upstream had made a piece of 2,500 letters by then.
  await expect.poll(newestLog).toMatchObject({ isStream: true, completionTokens: 2500 / 4 });
});

it("are sent unchanged if the channel's format supports them", async () => {
  const answer = await post('/v1/messages', {
    model: 'gpt-4o',
    max_tokens: 9,
    messages,
    stop_sequences: ['x'],
  });
  expect(answer.status).toBe(200);
  const { last } = await simulator.calls();
  expect(last?.path).toBe('/v1/chat/completions');
  expect(last?.body).toMatchObject({ stop: ['x'] });
});
