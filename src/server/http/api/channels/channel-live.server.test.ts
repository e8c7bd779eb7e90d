import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { readLive } from '#contract/api/channels/channel-live.ts';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';

/** The live board, from calls to what admins read. */

const MODEL = 'gpt-4o';
/** Enough failures for a model to be kept away. */
const CALLS = 6;

let upstream: Server;
let scene: Scene;
let spender: Spender;
const held: ServerResponse[] = [];

const usage = {
  prompt_tokens: 100,
  completion_tokens: 1,
  total_tokens: 101,
  prompt_tokens_details: { cached_tokens: 25 },
};
const head = { id: 'chatcmpl-1', created: 1, model: MODEL };
const chunk = (fields: object): string =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`;

const fail = (response: ServerResponse): void => {
  response.writeHead(500, { 'content-type': 'application/json' });
  response.end('{"error":{"message":"out of order"}}');
};
/** All fail at once: after five a call that comes late is not sent there any more. */
const failing: ServerResponse[] = [];

const answer = (path: string, response: ServerResponse): void => {
  if (path.startsWith('/broken/')) {
    failing.push(response);
    if (failing.length === CALLS) failing.forEach(fail);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Yes' } }] }));
  held.push(response);
};
const finish = (response: ServerResponse): void => {
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => answer(request.url ?? '', response));
  });
  await listening(upstream);
  scene = await openScene();
  spender = await scene.spender('alice', 100_000_000);
  const { port } = upstream.address() as AddressInfo;
  for (const [name, priority] of [
    ['broken', 10],
    ['sound', 0],
  ] as const)
    await scene.stage.channel(scene.root, {
      name,
      priority,
      baseUrl: `http://127.0.0.1:${port}/${name}`,
      models: MODEL,
    });
  await scene.set('RetryTimes', 1);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const call = (): Promise<Response> =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'Is it?' }] }),
  });

const board = async (): Promise<z.infer<typeof readLive.data>> => {
  const { data } = await scene.asRoot('/api/channel/live');
  return readLive.data.parse(data);
};

it('has the calls, errors, first tokens, cache reads and breaker of each channel, the one in trouble first', async () => {
  expect(await board()).toMatchObject({ channels: [], more: 0, nodes: 0 });
  const replies = await Promise.all(Array.from({ length: CALLS }, call));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));

  const during = await board();
  expect(during.channels.map(({ name }) => name)).toEqual(['broken', 'sound']);
  const [broken, sound] = during.channels;
  expect(broken).toMatchObject({ in_flight: 0, calls: CALLS, errors: CALLS, cooling_models: [MODEL] });
  expect(sound).toMatchObject({
    in_flight: CALLS,
    calls: CALLS,
    errors: 0,
    cached_share: null,
    breaker: { state: 'closed', seconds_left: 0 },
    routes: [{ group: 'default', model: MODEL }],
  });
  expect(sound?.first_token_ms.p95).toBeGreaterThan(0);
  expect(sound?.history.calls).toHaveLength(60);
  expect(sound?.history.calls.reduce((sum, one) => sum + one, 0)).toBe(CALLS);

  held.forEach(finish);
  await Promise.all(replies.map((reply) => reply.text()));
  const after = (await board()).channels.find(({ name }) => name === 'sound');
  expect(after).toMatchObject({ in_flight: 0, cached_share: 0.25 });
});
