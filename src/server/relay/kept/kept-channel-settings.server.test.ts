import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** What a channel is set to holds for calls about what its account has kept, too: its mapping of statuses, its waits. */

const LIMIT_MS = 1000;
/** The waits that a channel may be set to, and what the upstream does that takes longer. */
const WAITS = [
  ['first_byte_timeout_ms', 'hangs'],
  ['whole_reply_timeout_ms', 'stops'],
] as const;
const OPERATIONS = [
  ['GET', ''],
  ['GET', '/input_items'],
  ['POST', '/cancel'],
  ['DELETE', ''],
] as const;

let upstream: Server;
let scene: Scene;
let alice: Spender;

/** Makes a response whose id is its model's name, and about it answers what the name says. */
const startUpstream = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const head = { 'content-type': 'application/json' };
      if (request.url === '/v1/responses') {
        const { model } = JSON.parse(body) as { model: string };
        const content = [{ type: 'output_text', text: 'hi', annotations: [] }];
        const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }];
        const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
        const made = { id: `resp_${model}`, object: 'response', status: 'completed', model, output, usage };
        response.writeHead(200, head).end(JSON.stringify(made));
      } else if (request.url?.includes('stops') === true) response.writeHead(200, head).write('{"id":');
      else if (request.url?.includes('hangs') !== true)
        response.writeHead(418, head).end('{"error":{"message":"a teapot","type":"a_type"}}');
    });
  });
  await listening(server);
  return server;
};

beforeAll(async () => {
  upstream = await startUpstream();
  scene = await openScene();
  const baseUrl = addressOf(upstream);
  const models = ['mapped', ...WAITS.map(([, model]) => model)];
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))));
  const { stage, root } = scene;
  await stage.channel(root, { baseUrl, models: 'mapped', statusCodeMapping: '{"418":"409"}' });
  for (const [wait, model] of WAITS)
    await stage.channel(root, { baseUrl, models: model, setting: JSON.stringify({ [wait]: LIMIT_MS }) });
  alice = await scene.spender('alice', 10_000_000);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const ask = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${scene.server.url}/v1/responses${path}`, {
    method,
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

describe.each(OPERATIONS)('%s a kept response%s', (method, rest) => {
  const about = async (model: string): Promise<Response> => {
    expect((await ask('POST', '', { model, input: 'hi', store: true })).status).toBe(200);
    return ask(method, `/resp_${model}${rest}`);
  };

  it('tells the status that the channel makes of its upstream’s', async () => {
    expect((await about('mapped')).status).toBe(409);
  });

  it('tells what is left of the limit of calls', async () => {
    await scene.set('ModelRequestRateLimitCount', 1000);
    await scene.set('ModelRequestRateLimitEnabled', true);
    const { headers } = await about('mapped');
    await scene.set('ModelRequestRateLimitEnabled', false);
    expect(headers.get('x-ratelimit-limit-requests')).toBe('1000');
    expect(Number(headers.get('x-ratelimit-remaining-requests'))).toBeLessThan(999);
  });

  it.each(WAITS)('waits as long as %s says', async (_, model) => {
    const beganMs = performance.now();
    const got = await about(model);
    expect([got.status, await got.json()]).toMatchObject([504, { error: { code: 'upstream_timeout' } }]);
    expect(performance.now() - beganMs).toBeGreaterThan(0.8 * LIMIT_MS);
  });
});
