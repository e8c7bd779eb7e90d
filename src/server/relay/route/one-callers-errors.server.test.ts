import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** What one caller sends to be refused costs no other caller their channel. */

const reply = {
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
};

let scene: Scene;
let server: Server;
let callers: { readonly bad: Spender; readonly good: Spender };
/** The keys that the upstream was called with. */
const used: string[] = [];

/** An upstream that refuses what asks for it: `!status!message!`. */
const startUpstream = async (): Promise<Server> => {
  const upstream = createServer((request, response) => {
    used.push((request.headers.authorization ?? '').replace('Bearer ', ''));
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      const [, status = '200', message] = /!(\d+)!(.*?)!/.exec(body) ?? [];
      const answer = message === undefined ? reply : { error: { message, type: 'an_error' } };
      response.writeHead(Number(status), { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await listening(upstream);
  return upstream;
};

beforeAll(async () => {
  server = await startUpstream();
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ m: 1 }));
  await scene.set('AutomaticDisableChannelEnabled', true);
  callers = {
    bad: await scene.spender('bad', 1_000_000_000),
    good: await scene.spender('good', 1_000_000_000),
  };
});
afterAll(async () => {
  await scene.close();
  hangUp(server);
});

const [FIRST, SECOND] = ['sk-a-long-enough-key-first', 'sk-a-long-enough-key-second'];

beforeEach(async () => {
  const ids = (await allChannels(scene.server.parts.stores.channels)).map(({ id }) => id);
  if (ids.length > 0) await scene.asRoot('/api/channel/batch', { method: 'POST', body: { ids } });
  for (const [key, priority] of [
    [FIRST, 1],
    [SECOND, 0],
  ] as const)
    await scene.stage.channel(scene.root, {
      baseUrl: addressOf(server),
      models: 'm',
      groups: 'default',
      key,
      priority,
    });
});

const chat = async (who: keyof typeof callers, content: string): Promise<number> => {
  const response = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${callers[who].key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });
  await response.text();
  return response.status;
};

it.each([
  [404, 502, "Vector store with id ['vs_x'] not found."],
  [403, 502, 'You do not have permission to access the file x, or it may not exist.'],
  [500, 502, 'Internal error'],
  [429, 429, 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 60000.'],
])("after many a %i others' calls go where they went", async (status, told, message) => {
  expect(await chat('good', 'hi')).toBe(200);
  // Enough for one channel, not for both: where all cool down, calls go on as if none did.
  for (let count = 0; count < 7; count++)
    expect([told, status]).toContain(await chat('bad', `!${String(status)}!${message}!`));
  used.length = 0;
  expect([await chat('good', 'hi'), ...used]).toEqual([200, FIRST]);
});

it.each([
  [400, "Invalid value: 'your credit balance is too low'. Supported values are: 'auto'."],
  [400, 'Unknown tool: Permission denied'],
  [422, 'No tool “you exceeded your current quota”'],
])("after many a %i %s others' calls go where they went", async (status, message) => {
  expect(await chat('good', 'hi')).toBe(200);
  for (let count = 0; count < 12; count++)
    expect(await chat('bad', `!${String(status)}!${message}!`)).toBe(status);
  used.length = 0;
  expect([await chat('good', 'hi'), ...used]).toEqual([200, FIRST]);
});
