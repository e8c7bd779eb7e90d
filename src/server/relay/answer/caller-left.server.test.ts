import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** A caller who leaves early pays for reasoning that only the last report counts (docs/billing.md, decision 24). */

const SHOWN = 'word '.repeat(200);
/** A token for four bytes. */
const SHOWN_TOKENS = 250;
const PROMPT = 'hello there friend '.repeat(20);
/** Two bytes a token are held, and half of that is counted. */
const PROMPT_TOKENS = 108;
/** A model that does not think has said its first word by then. */
const THINKS_MS = 1500;
const TOKENS_PER_SECOND = 20;

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (content: string): string =>
  event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] });
const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const report = event({
  choices: [],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 5000,
    total_tokens: 5100,
    completion_tokens_details: { reasoning_tokens: 4600 },
  },
});
const DONE = 'data: [DONE]\n\n';

const THINKER = 'gpt-5-mini';
const PLAIN = 'gpt-4o-mini';

let upstream: Server;
let scene: Scene;
let answering: ServerResponse;
let silentMs = 0;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      answering = response;
      const startedMs = performance.now();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      setTimeout(() => {
        silentMs = performance.now() - startedMs;
        response.write(chunk(SHOWN));
      }, THINKS_MS);
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl, models: `${THINKER},${PLAIN}` });
  const one = JSON.stringify({ [THINKER]: 1, [PLAIN]: 1 });
  await scene.set('ModelRatio', one);
  await scene.set('CompletionRatio', one);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** Reads the first words of an answer and leaves. */
const readAndLeave = async ({ key }: Spender, model: string, path: string): Promise<void> => {
  const leaving = new AbortController();
  const response = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: 8000,
      stream: true,
      messages: [{ role: 'user', content: PROMPT }],
    }),
    signal: leaving.signal,
  });
  const reader = response.body?.getReader();
  let seen = '';
  while (!seen.includes('word word')) seen += Buffer.from((await reader?.read())?.value ?? []).toString();
  leaving.abort();
  // Who asks after it left is answered after that was heard.
  for (let time = 0; time < 3; time += 1) await fetch(`${scene.server.url}/readyz`);
};

const row = async ({ user }: Spender) => {
  const rows = async () =>
    (await scene.server.parts.stores.logs.page({ userId: user.id, type: 2 }, { page: 1, pageSize: 5 })).items;
  await expect.poll(async () => (await rows()).length).toBe(1);
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
  return (await rows())[0];
};

describe('an answer of a model with hidden thoughts, whose caller leaves midway', () => {
  it.each(['/v1/chat/completions', '/v1/messages'])(
    'costs what its usage report says a moment later, less the text that was never sent (%s)',
    async (path) => {
      const spender = await scene.spender(`told ${path.length}`, 1_000_000);
      await readAndLeave(spender, THINKER, path);
      const unshown = 'x'.repeat(400);
      answering.end(chunk(unshown) + finish + report + DONE);
      expect((await row(spender))?.quotaUnits).toBe(100 + 5000 - 100);
    },
  );

  it('that goes on for long is stopped: its text is counted, and its thoughts are estimated by the time they took', async () => {
    const spender = await scene.spender('long', 1_000_000);
    await readAndLeave(spender, THINKER, '/v1/chat/completions');
    const isStopped = new Promise((resolve) => answering.once('close', resolve));
    answering.write(chunk('x'.repeat(5000)));
    await isStopped;
    const units = (await row(spender))?.quotaUnits ?? 0;
    const thoughts = units - PROMPT_TOKENS - SHOWN_TOKENS;
    // The server's own way there and back may make it a little more.
    expect(thoughts).toBeGreaterThanOrEqual(Math.floor(((silentMs - 1050) / 1000) * TOKENS_PER_SECOND));
    expect(thoughts).toBeLessThanOrEqual(Math.ceil((silentMs / 1000) * TOKENS_PER_SECOND));
    expect(thoughts).toBeGreaterThan(0);
  });

  it('is stopped at once and costs only its text if the model does not think', async () => {
    const spender = await scene.spender('plain', 1_000_000);
    await readAndLeave(spender, PLAIN, '/v1/chat/completions');
    await new Promise((resolve) => {
      if (answering.destroyed) resolve(undefined);
      else answering.once('close', resolve);
    });
    expect((await row(spender))?.quotaUnits).toBe(PROMPT_TOKENS + SHOWN_TOKENS);
  });
});
