import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** An upstream repeats our key in any spelling: no caller gets it, and no row contains it. */

const KEY = 'sk-up+key/0123456789abcdef';
const BARE_KEY = KEY.slice('sk-'.length);
const APP_KEY = 'fedcba9876543210fedcba9876543210';
const TWO_KEYS = `${KEY}|${APP_KEY}`;
/** Made of a key by its upstream, and sent in its place. */
const MADE = '24.0123abcdef456789.2592000.1795262018.282335-made';
const code = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(4, '0');
const UNSEEN = 'with characters between that nobody sees';
const SPELLINGS: Readonly<Record<string, string>> = {
  plain: KEY,
  "without its maker's mark": BARE_KEY,
  'its second part': APP_KEY,
  'its second part in capitals': APP_KEY.toUpperCase(),
  'slashes escaped': KEY.replaceAll('/', '\\/'),
  'odd characters escaped': KEY.replaceAll(/\W/g, (letter) => `\\u${code(letter)}`),
  'every character escaped': KEY.replaceAll(/./g, (letter) => `\\u${code(letter).toUpperCase()}`),
  'as in an address': encodeURIComponent(KEY),
  [UNSEEN]: KEY.replaceAll('3', '3\u200b').replace('k', 'k\u00ad'),
  'with such characters escaped': KEY.replaceAll('3', '3\\u200b').replace('k', 'k\\uFEFF'),
  base64: Buffer.from(KEY).toString('base64'),
};

let scene: Scene;
let alice: Spender;
let server: Server;
let spelled = KEY;

const answers = (path: string): readonly [status: number, type: string, body: string] => {
  const json = 'application/json';
  const written = (value: object, said: string): string => JSON.stringify(value).replaceAll('SAID', said);
  const choice = { index: 0, finish_reason: 'stop' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const answer = { role: 'assistant', content: 'SAID' };
  const choices = [{ ...choice, message: answer }];
  const chat = { id: 'c', object: 'chat.completion', model: 'm', choices, usage };
  const chunk = (said: string, finish: string | null = null): string => {
    const choices = [{ index: 0, delta: { content: 'SAID' }, finish_reason: finish }];
    return `data: ${written({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices }, said)}\n\n`;
  };
  const said = `it is ${spelled}!`;
  if (path.startsWith('/oauth/')) return [200, json, `{"access_token":"${MADE}","expires_in":3600}`];
  if (path.includes('/wenxinworkshop/')) return [200, json, JSON.stringify({ id: 'b', result: said, usage })];
  if (path.startsWith('/bad') || /\/(?:cancel|items)$/.test(path))
    return [400, json, `{"error":{"message":"${said}","type":"${said}","code":"${said}"}}`];
  if (path.startsWith('/down')) return [500, 'text/plain', said];
  if (path.startsWith('/stream'))
    return [
      200,
      'text/event-stream',
      `${chunk('Hi')}${chunk(' you')}${chunk(said)}${chunk('', 'stop')}data: [DONE]\n\n`,
    ];
  if (path.endsWith('/speech')) return [200, 'audio/mpeg', `sound ${spelled} sound`];
  if (path.endsWith('/transcriptions')) return [200, 'text/plain; charset=utf-8', said];
  if (path.includes('/mj/')) return [200, json, `{"code":4,"description":"${said}","result":"${said}"}`];
  if (path.includes('/suno/')) return [200, json, `{"code":"${said}","message":"${said}"}`];
  const content = [{ type: 'output_text', text: 'SAID', annotations: [] }];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  const named: Readonly<Record<string, object>> = {
    embeddings: { object: 'list', data: [{ embedding: [1], index: 0 }], model: 'SAID', usage },
    completions: { ...chat, choices: [{ ...choice, text: 'SAID' }] },
    generations: { created: 1, data: [{ url: 'https://a.example/SAID', revised_prompt: 'SAID' }] },
    moderations: { id: 'SAID', model: 'SAID', results: [{ flagged: false }] },
    rerank: { results: [{ index: 0, relevance_score: 1, document: { text: 'SAID' } }], usage },
    responses: { id: 'resp_1', object: 'response', status: 'completed', model: 'SAID', output: [message] },
    resp_1: { id: 'resp_1', object: 'response', status: 'completed', model: 'SAID', output: [message] },
    conversations: { id: 'conv_1', object: 'conversation', metadata: { SAID: 'SAID' } },
    input_items: { object: 'list', data: [{ ...message, role: 'user' }] },
  };
  const end = path.includes('/chat/') ? '' : (path.split('/').at(-1) ?? '');
  return [200, json, written(named[end] ?? chat, said)];
};

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [status, type, body] = answers(request.url ?? '');
      const isName = /^[!-~]*$/.test(spelled);
      const name = isName && type.startsWith('audio/') && `attachment; filename="${spelled}.mp3"`;
      response.writeHead(status, { 'content-type': type, ...(name && { 'content-disposition': name }) });
      // In two pieces, cut inside the key.
      response.write(body.slice(0, body.indexOf(spelled) + 7));
      setImmediate(() => response.end(body.slice(body.indexOf(spelled) + 7)));
    });
  });
  const url = await listening(server);
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  const { stage, root } = scene;
  const key = { key: TWO_KEYS };
  const models = 'm,tts-1,whisper-1';
  await stage.channel(root, { baseUrl: url, models, ...key });
  for (const kind of ['stream', 'bad', 'down'])
    await stage.channel(root, { baseUrl: `${url}/${kind}`, models: `m-${kind}`, ...key });
  await stage.channel(root, { type: 2, baseUrl: url, models: 'mj_imagine', ...key });
  await stage.channel(root, { type: 36, baseUrl: url, models: 'suno_music', ...key });
  const priced = ['m', 'tts-1', 'whisper-1', 'm-stream', 'm-bad', 'm-down'].map(
    (model) => [model, 1] as const,
  );
  await stage.channel(root, { type: 15, baseUrl: url, models: 'ernie-speed', key: 'api-key|secret-key' });
  await stage.channel(root, { type: 38, baseUrl: url, models: 'm-rank', ...key });
  await scene.set(
    'ModelRatio',
    JSON.stringify({ ...Object.fromEntries(priced), 'm-rank': 1, 'ernie-speed': 1 }),
  );
});
afterAll(async () => {
  await scene.close();
  hangUp(server);
});

/** Without a body it reads. */
const post = (path: string, body: object | FormData | undefined): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer sk-${alice.key}`,
      'anthropic-version': '2023-06-01',
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });

const sound = (): FormData => {
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('response_format', 'text');
  form.set('file', new Blob(['RIFF sound'.repeat(20)]), 'a.wav');
  return form;
};
const asked = (model: string, { stream }: { readonly stream: boolean }): object => ({
  model,
  stream,
  max_tokens: 9,
  messages: [{ role: 'user', content: 'Hi' }],
});
const calls: readonly (readonly [string, string, () => object | FormData | undefined])[] = [
  ['chat', '/v1/chat/completions', () => asked('m', { stream: false })],
  ['streamed chat', '/v1/chat/completions', () => asked('m-stream', { stream: true })],
  ['Messages', '/v1/messages', () => asked('m', { stream: false })],
  ['streamed Messages', '/v1/messages', () => asked('m-stream', { stream: true })],
  ['refused chat', '/v1/chat/completions', () => asked('m-bad', { stream: false })],
  ['failed chat', '/v1/chat/completions', () => asked('m-down', { stream: false })],
  [
    'answer for Gemini',
    '/v1beta/models/m:generateContent',
    () => ({ contents: [{ parts: [{ text: 'Hi' }] }] }),
  ],
  ['response', '/v1/responses', () => ({ model: 'm', input: 'Hi' })],
  ['response that is read again', '/v1/responses/resp_1', () => undefined],
  ['list of what a response was asked', '/v1/responses/resp_1/input_items', () => undefined],
  ['conversation', '/v1/conversations', () => ({})],
  ['refused end of a response', '/v1/responses/resp_1/cancel', () => ({})],
  [
    'refused item of a conversation',
    '/v1/conversations/conv_1/items',
    () => ({ items: [{ role: 'user', content: 'x' }] }),
  ],
  ['completion', '/v1/completions', () => ({ model: 'm', prompt: 'Hi' })],
  ['embedding', '/v1/embeddings', () => ({ model: 'm', input: 'x' })],
  ['rerank', '/v1/rerank', () => ({ model: 'm-rank', query: 'x', documents: ['y'], return_documents: true })],
  ['moderation', '/v1/moderations', () => ({ model: 'm', input: 'x' })],
  ['picture', '/v1/images/generations', () => ({ model: 'm', prompt: 'a cat' })],
  ['speech', '/v1/audio/speech', () => ({ model: 'tts-1', input: 'x', voice: 'a' })],
  ['transcript', '/v1/audio/transcriptions', sound],
  ['drawing', '/mj/submit/imagine', () => ({ prompt: 'a cat' })],
  ['song', '/suno/submit/music', () => ({ prompt: 'a cat', mv: 'chirp-v3-0' })],
];

/** An upstream's failure is reported in our own words. */
const HIDDEN: ReadonlySet<string> = new Set(['failed chat']);

/** Bytes that are no ASCII are sound, in which nothing stands between the letters of a key. */
const spellingsIn = (name: string): readonly string[] =>
  Object.keys(SPELLINGS).filter((spelling) => name !== 'speech' || spelling !== UNSEEN);

/** A text with every escape undone, as often as there are any. */
const bare = (text: string): string => {
  const once = text
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\/', '/')
    .replaceAll(/\p{Cf}/gu, '');
  return once === text ? text : bare(once);
};

const secrets = [BARE_KEY, APP_KEY, APP_KEY.toUpperCase(), Buffer.from(KEY).toString('base64')];
const LISTS = ['/api/log/', '/api/mj/', '/api/task/'];

it.each(calls)('a %s never reveals the key, however it is spelled', async (name, path, body) => {
  for (const spelling of spellingsIn(name)) {
    spelled = SPELLINGS[spelling] ?? '';
    const answer = await post(path, body());
    const told = bare(`${JSON.stringify([...answer.headers])} ${await answer.text()}`);
    // Whose words are shown at all is shown stars.
    expect(told.includes('********'), spelling).toBe(!HIDDEN.has(name));
    expect(
      secrets.filter((secret) => told.includes(secret)),
      spelling,
    ).toEqual([]);
  }
  // What these calls left is read once for all of them.
  const lists = await Promise.all(LISTS.map((list) => scene.asRoot(`${list}?p=1&page_size=100`)));
  const kept = bare(JSON.stringify([lists, scene.log]));
  expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
});

it('a token that was made of a key is not told either', async () => {
  spelled = MADE;
  const answer = await post('/v1/chat/completions', asked('ernie-speed', { stream: false }));
  const told = await answer.text();
  expect(told).toContain('it is ****');
  expect(told).not.toContain(MADE);
});
