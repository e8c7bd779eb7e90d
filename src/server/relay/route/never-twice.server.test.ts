import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { PLAIN_STREAM } from '../testing/plain-answer.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** What cannot be undone is asked of one channel, however late it is, where chats would race. */

const DEADLINE_MS = 200;
const LATE_MS = 900;
const MODELS = ['late', 'mj_imagine', 'suno_music'];
/** By model: what the second of its channels adds to each call. */
const ADDED: Readonly<Record<string, object>> = {
  stored: { op: 'set', path: 'store', value: true },
  acting: { op: 'append', path: 'tools', value: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
  plain: { op: 'set', path: 'user', value: 'house' },
};

let scene: Scene;
let upstream: Server;
let key = '';
/** The channel of each call, in order. */
const asked: string[] = [];

const answer = (path: string, isStream: boolean, response: ServerResponse): void => {
  if (isStream && path.endsWith('/chat/completions')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(PLAIN_STREAM);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (path.includes('/images/')) response.end('{"created":1,"data":[{"b64_json":"aGk="}]}');
  else if (path.includes('/mj/')) response.end('{"code":1,"description":"ok","result":"17"}');
  else if (path.includes('/suno/')) response.end('{"code":"success","data":"17"}');
  else
    response.end(
      '{"id":"r","object":"response","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}',
    );
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const path = request.url ?? '';
    const channel = path.split('/')[1] ?? '';
    let text = '';
    request.on('data', (bytes: Buffer) => void (text += bytes.toString()));
    request.on('end', () => {
      if (path.includes('list-by') || path.includes('fetch')) return void response.end('[]');
      asked.push(channel);
      const isStream = text.includes('"stream":true');
      const isChat = path.endsWith('/chat/completions');
      const isLate = channel === 'first' || !isChat;
      // Where the other is asked too, nobody waits for the first.
      if (isLate && isChat && /"model":"(?:late|plain)"/.test(text)) return;
      setTimeout(() => answer(path, isStream, response), isLate ? LATE_MS : 0);
    });
  });
  const url = await listening(upstream);
  scene = await openScene();
  const models = ['late', ...Object.keys(ADDED)];
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))));
  await scene.set('RetryTimes', 3);
  await scene.set(
    'upstream_setting.first_token',
    JSON.stringify({ '*': { deadline_ms: DEADLINE_MS, hedge: true } }),
  );
  await scene.set('upstream_setting.hedge_percent', 100);
  for (const type of [1, 5, 36])
    for (const [at, name] of ['first', 'second'].entries())
      await scene.stage.channel(scene.root, {
        type,
        baseUrl: `${url}/${name}`,
        models: MODELS.join(','),
        priority: -at,
      });
  for (const [models, rule] of Object.entries(ADDED))
    for (const [at, name] of ['first', 'second'].entries())
      await scene.stage.channel(scene.root, {
        baseUrl: `${url}/${name}`,
        models,
        priority: -at,
        ...(at > 0 && { setting: JSON.stringify({ overrides: [rule] }) }),
      });
  await scene.server.parts.refreshRouting();
  key = (await scene.spender('caller', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});
beforeEach(() => void (asked.length = 0));

const call = async (path: string, body: object): Promise<number> => {
  const response = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'late', ...body }),
  });
  await response.text();
  return response.status;
};
const messages = [{ role: 'user', content: 'hi' }];

it('a chat does race: the second channel is asked when the first is late', async () => {
  expect(await call('/v1/chat/completions', { messages, stream: true })).toBe(200);
  expect(asked).toEqual(['first', 'second']);
});

it('a chat with a harmless override races as well', async () => {
  expect(await call('/v1/chat/completions', { model: 'plain', messages, stream: true })).toBe(200);
  expect(asked).toEqual(['first', 'second']);
});

it.each(['stored', 'acting'])(
  'a chat that an override makes irreversible is sent to one channel: %s',
  async (model) => {
    expect(await call('/v1/chat/completions', { model, messages, stream: true })).toBe(200);
    expect(asked).toEqual(['first']);
  },
);

it.each([
  ['a picture', '/v1/images/generations', { prompt: 'a tree' }],
  ['a picture that is streamed', '/v1/images/generations', { prompt: 'a tree', stream: true }],
  ['a response in the background', '/v1/responses', { input: 'hi', background: true, store: true }],
  ['a response that is stored', '/v1/responses', { input: 'hi', store: true, stream: true }],
  ['a drawing', '/mj/submit/imagine', { prompt: 'a tree' }],
  ['a song', '/suno/submit/music', { prompt: 'la' }],
])('%s is sent to one channel', async (_, path, body) => {
  // The first may be cooling, as it was late before.
  await call(path, body);
  expect(asked).toHaveLength(1);
});
