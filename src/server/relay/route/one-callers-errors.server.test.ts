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
/** What the first channel answers to every call, if it refuses all. */
let refusesAll: readonly [status: number, body: string] | undefined;

/** An upstream that refuses what asks for it: `!status!message!`, or, in its first channel only, `!status!message!first!`. */
const startUpstream = async (): Promise<Server> => {
  const upstream = createServer((request, response) => {
    used.push((request.headers.authorization ?? '').replace('Bearer ', ''));
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      const isFirst = used.at(-1) === FIRST;
      if (isFirst && refusesAll !== undefined)
        return void response
          .writeHead(refusesAll[0], { 'content-type': 'application/json' })
          .end(refusesAll[1]);
      const [, asked = '200', words, only] = /!(\d+)!(.*?)!(first!)?/.exec(body) ?? [];
      const [status, message] = only !== undefined && !isFirst ? ['200'] : [asked, words];
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
  // All tests together make more further attempts than a minute has.
  await scene.set('upstream_setting.retry_percent', 1000);
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
  refusesAll = undefined;
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

const REFUSALS = [
  ['400', [400, '{"error":{"message":"no such deployment","type":"invalid_request_error"}}']],
  ['page with a 400', [400, '<html><h1>Plain HTTP was sent to an HTTPS port</h1></html>']],
  ['404', [404, '{"error":{"message":"no such model","type":"invalid_request_error"}}']],
  ['409', [409, '{"error":{"message":"conflict"}}']],
  ['413', [413, '{"error":{"message":"too large"}}']],
  ['422', [422, '{"detail":[{"loc":["body","model"],"msg":"unknown"}]}']],
  ['refusal inside a 200', [200, '{"error":{"message":"no such model","type":"invalid_request_error"}}']],
] as const;

const many = async (count: number, content = 'hi'): Promise<number[]> => {
  const statuses: number[] = [];
  for (let at = 0; at < count; at++) statuses.push(await chat('good', content));
  return statuses;
};

it.each(REFUSALS)(
  'a channel that answers every call with a %s fails no call, and is soon left',
  async (_, all) => {
    refusesAll = all;
    used.length = 0;
    expect(await many(12)).toEqual(Array(12).fill(200));
    expect(used.filter((key) => key === FIRST).length).toBeLessThan(6);
  },
);

it('a channel that begins to refuse every call fails one at most', async () => {
  expect(await many(3)).toEqual([200, 200, 200]);
  refusesAll = REFUSALS[0][1];
  expect((await many(12)).filter((status) => status !== 200).length).toBeLessThan(2);
});

it('a call that only one of two channels takes goes there in the end, and moves nobody else', async () => {
  expect(await many(1)).toEqual([200]);
  const statuses: number[] = [];
  for (let at = 0; at < 12; at++) statuses.push(await chat('bad', '!400!Unknown parameter: seed!first!'));
  expect(statuses.filter((status) => status !== 200).length).toBeLessThan(2);
  used.length = 0;
  expect([await chat('good', 'hi'), ...used]).toEqual([200, FIRST]);
});
