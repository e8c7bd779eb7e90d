import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** What answers cost the operator, by what the upstream says of them. */

let upstream: Server;
let scene: Scene;
let alice: Spender;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      answer(response);
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  const { stage, root } = scene;
  await stage.channel(root, {
    baseUrl,
    models: 'gpt-5.4',
    setting: JSON.stringify({ cost: { factor: 0.8 } }),
  });
});
afterAll(async () => {
  await scene.close();
  upstream.closeAllConnections();
  upstream.close();
});

const call = (body: object): Promise<Response> =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });

const lastRow = async () => {
  const { logs } = scene.server.parts.stores;
  const page = await logs.page({ userId: alice.user.id, type: 2 }, { page: 1, pageSize: 1 });
  return page.items[0];
};

// Of the catalogue: 2.5 dollars for a million in and 15 out, twice and 1.5 times as dear for a long prompt.
describe('of a channel that pays 0.8 of the list price', () => {
  it.each([
    ['a prompt before the step', 271_999, {}, 271_999 * 2000 + 100 * 12_000],
    ['a long prompt', 272_001, {}, 272_001 * 4000 + 100 * 18_000],
    ['the priority tier', 1000, { service_tier: 'priority' }, 1000 * 4000 + 100 * 24_000],
    ['priority that was not served', 1000, { service_tier: 'default' }, 1000 * 2000 + 100 * 12_000],
  ])('%s costs its part of what was served', async (_, prompt, told, nano) => {
    answer = (response) => {
      const message = { role: 'assistant', content: 'yes' };
      const reply = {
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: prompt, completion_tokens: 100 },
        ...told,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    };
    const asked = 'service_tier' in told ? { service_tier: 'priority' } : {};
    expect((await call({ model: 'gpt-5.4', ...asked })).status).toBe(200);
    const row = await lastRow();
    expect(row?.costNano).toBe(nano);
    // Sold at the list price: 2000 billionths a unit, a quarter more than it costs; half a unit is rounded.
    expect(Math.abs((row?.quotaUnits ?? 0) * 2000 * 0.8 - nano)).toBeLessThanOrEqual(800);
  });
});
