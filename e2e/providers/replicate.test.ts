import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, listening } from '../../src/server/outbound/testing/local-server.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * Replicate (replicate.com/docs/reference/http, predictions; topics/predictions/streaming, create-a-prediction): a stream
 * has its own address, and an answer that takes longer than a minute is polled.
 */

const MODEL = 'meta/meta-llama-3-8b-instruct';
const METRICS = { input_token_count: 11, output_token_count: 4 };
const WORDS = ['All', ' is', ' well', '.\nVery.'];
const seen: { readonly call: string; readonly headers: Json; readonly body: Json }[] = [];
let looks = 0;

const json = (response: ServerResponse, status: number, body: Json): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** A text as event data, one field per line. */
const event = (name: string, text: string): string =>
  `event: ${name}\nid: 1\n${text
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;

const OUTPUT = WORDS.map((word) => event('output', word)).join('');
const STREAMS: Readonly<Record<string, string>> = {
  good: OUTPUT + event('done', '{}'),
  broken:
    event('output', 'All') +
    event('error', '{"detail":"CUDA out of memory"}') +
    event('done', '{"reason":"error"}'),
};

const made = (kind: string, status: string, stream: string | undefined): Json => ({
  id: `p-${kind}`,
  model: MODEL,
  status,
  output: status === 'succeeded' ? WORDS : null,
  error: null,
  ...(status === 'succeeded' && { metrics: METRICS }),
  urls: {
    get: `https://api.replicate.example/v1/predictions/p-${kind}`,
    ...(stream !== undefined && { stream }),
  },
});

let own = '';
/** Replicate streams from another host than the one that takes the request. */
let streaming = '';

const answer = (call: string, body: Json, response: ServerResponse): void => {
  if (JSON.stringify(body).includes('a wall')) {
    response.writeHead(200, { 'content-type': 'text/html' });
    return void response.end('<html>sign in</html>');
  }
  const kind = /\b(good|broken|hanging|slow|plain|gone)\b/.exec(JSON.stringify(body) + call)?.[1] ?? 'good';
  if (call.startsWith('POST') && call.endsWith('/cancel'))
    return json(response, 200, made(kind, 'canceled', undefined));
  if (call.startsWith('POST')) {
    const stream =
      body['stream'] === true && kind !== 'plain' ? `${streaming}/v1/streams/${kind}` : undefined;
    return json(
      response,
      201,
      made(kind, kind === 'good' && stream === undefined ? 'succeeded' : 'starting', stream),
    );
  }
  if (call.startsWith('GET /v1/predictions/')) {
    looks += 1;
    const isMade = kind === 'good' || (kind !== 'hanging' && looks > 1);
    return json(response, 200, made(kind, isMade ? 'succeeded' : 'processing', undefined));
  }
  if (kind === 'gone') return json(response, 404, { detail: 'no such stream' });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (kind === 'hanging') return void response.write(event('output', 'All'));
  response.end(STREAMS[kind]);
};

const startServer = async () => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const body = text === '' ? {} : (JSON.parse(text) as Json);
      const call = `${request.method ?? ''} ${request.url ?? ''}`;
      seen.push({ call, headers: request.headers as Json, body });
      answer(call, body, response);
    });
  });
  await listening(server);
  return { server, url: addressOf(server) };
};

let servers: Awaited<ReturnType<typeof startServer>>[];
let rig: Rig;
beforeAll(async () => {
  servers = [await startServer(), await startServer()];
  [own = '', streaming = ''] = servers.map(({ url }) => url);
  rig = await startRig(
    [
      {
        type: 56,
        baseUrl: own,
        encryptedKey: 'r8-key',
        models: 'm',
        modelMapping: JSON.stringify({ m: MODEL }),
      },
    ],
    { ModelRatio: { m: 1 }, RetryTimes: 0 },
  );
});
afterAll(async () => {
  await rig.stop();
  for (const { server } of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const ask = (content: string, beside: Json = {}, init: RequestInit = {}): Promise<Response> => {
  seen.length = 0;
  looks = 0;
  return fetch(`${rig.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content }], ...beside }),
    ...init,
  });
};
const STREAM = { stream: true, stream_options: { include_usage: true } };
const saidBy = async (response: Response, { stream }: { readonly stream: boolean }) => {
  const bytes = Buffer.from(await response.arrayBuffer());
  return saidIn(await eventsOf(chatDialects['openai-chat'], bytes, { stream }));
};
const calls = (): string[] => seen.map(({ call }) => call);

test('a page that is no prediction is a failed attempt, not an empty answer', async () => {
  const response = await ask('a wall');
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('no prediction')]);
});

test('a stream is read from its own address, and its usage is fetched at its end', async () => {
  const said = await saidBy(await ask('good', STREAM), { stream: true });
  expect(said).toMatchObject({ text: WORDS.join(''), finish: ['stop'], error: undefined });
  expect(said.usage).toMatchObject({ prompt: 11, completion: 4 });
  expect(calls()).toEqual([
    `POST /v1/models/${MODEL}/predictions`,
    'GET /v1/streams/good',
    'GET /v1/predictions/p-good',
  ]);
  expect(seen[0]?.body).toMatchObject({ stream: true, input: { prompt: 'good', max_tokens: 100 } });
  // The key is sent only to the channel's own host.
  expect(seen.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer r8-key',
    undefined,
    'Bearer r8-key',
  ]);
});

test('an answer that is finished in time is not polled', async () => {
  expect((await saidBy(await ask('good'), { stream: false })).text).toBe(WORDS.join(''));
  expect(calls()).toEqual([`POST /v1/models/${MODEL}/predictions`]);
  expect(seen[0]?.headers).toMatchObject({ prefer: 'wait=60' });
});

test('one that takes longer is polled until it is finished', async () => {
  const said = await saidBy(await ask('slow'), { stream: false });
  expect(said).toMatchObject({ text: WORDS.join(''), usage: { prompt: 11, completion: 4 } });
  expect(looks).toBe(2);
});

test('a model that cannot stream gives its whole answer to those who want a stream', async () => {
  const said = await saidBy(await ask('plain', STREAM), { stream: true });
  expect(said).toMatchObject({ text: WORDS.join(''), finish: ['stop'] });
});

test('failures while polling are reported', async () => {
  const said = await saidBy(await ask('broken', STREAM), { stream: true });
  expect(said).toMatchObject({ text: 'All' });
  expect(said.error).toBeDefined();
});

test.each([
  ['streamed', STREAM, 'GET /v1/streams/hanging'],
  ['whole', {}, 'GET /v1/predictions/p-hanging'],
])('a caller that leaves stops what is made for it: %s', async (_, beside, waitsAt) => {
  const gone = new AbortController();
  const response = ask('hanging', beside, { signal: gone.signal }).catch(() => undefined);
  await expect.poll(calls).toContain(waitsAt);
  gone.abort();
  await response;
  const cancels = () => calls().filter((call) => call === 'POST /v1/predictions/p-hanging/cancel').length;
  await expect.poll(cancels).toBe(1);
});

test('a prediction whose stream cannot be had is cancelled, because nobody waits for it', async () => {
  expect((await ask('gone', STREAM)).status).toBeGreaterThan(399);
  await expect.poll(calls).toContain('POST /v1/predictions/p-gone/cancel');
});
