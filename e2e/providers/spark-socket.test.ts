import { createServer, type IncomingMessage } from 'node:http';
import { createHmac } from 'node:crypto';
import { type WebSocket, WebSocketServer } from 'ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * iFlytek Spark over WebSockets (www.xfyun.cn/doc/spark/Web.html, X1ws.html; general_url_authentication.html; error
 * codes), used for keys with three parts.
 */

const SECRET = 'the-secret';
const WORDS = ['All', ' is', ' well', '.'];
const USAGE = { question_tokens: 4, prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 };
const asked: { readonly path: string; readonly body: Json }[] = [];
/** Requests that arrive over HTTP instead. */
const posted: { readonly path: string; readonly authorization: string | undefined; readonly body: Json }[] =
  [];
let closed = 0;

const isSigned = ({ url = '' }: IncomingMessage): boolean => {
  const { pathname, searchParams } = new URL(url, 'http://spark');
  const [host, date] = [searchParams.get('host'), searchParams.get('date')];
  const signature = createHmac('sha256', SECRET)
    .update(`host: ${String(host)}\ndate: ${String(date)}\nGET ${pathname} HTTP/1.1`)
    .digest('base64');
  const proof = Buffer.from(searchParams.get('authorization') ?? '', 'base64').toString();
  const wanted = `api_key="the-key", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`;
  return proof === wanted && Math.abs(Date.now() - Date.parse(String(date))) < 300_000;
};

const ERRORS: Readonly<Record<string, readonly [code: number, message: string]>> = {
  'say something forbidden': [10_013, 'input content audit failed'],
  'say it too often': [11_202, 'AppIdQpsOverFlowError'],
  'say it unlicensed': [11_200, 'AppIdNoAuthError'],
};

const speak = (socket: WebSocket, path: string): void => {
  socket.on('close', () => (closed += 1));
  socket.on('message', (data) => {
    if (!Buffer.isBuffer(data)) return;
    const body = JSON.parse(data.toString()) as Json;
    asked.push({ path, body });
    const text = JSON.stringify(body['payload']);
    const header = { code: 0, message: 'Success', sid: 'cht000' };
    const say = (message: Json): void => socket.send(JSON.stringify(message));
    const refusal = Object.entries(ERRORS).find(([words]) => text.includes(words))?.[1];
    if (refusal !== undefined)
      return say({ header: { ...header, code: refusal[0], message: refusal[1], status: 2 } });
    const fails = text.includes('fail midway');
    const cutAfter = fails || text.includes('break off') ? 2 : WORDS.length;
    const thinks = path.endsWith('/x1');
    const choice = (status: number, fields: Json) => ({
      status,
      seq: 0,
      text: [{ role: 'assistant', index: 0, ...fields }],
    });
    if (thinks)
      say({
        header: { ...header, status: 0 },
        payload: { choices: choice(0, { content: '', reasoning_content: 'I look.' }) },
      });
    for (const [at, content] of WORDS.slice(0, cutAfter).entries()) {
      const status = at === WORDS.length - 1 ? 2 : at === 0 && !thinks ? 0 : 1;
      const usage = status === 2 ? { usage: { text: USAGE } } : {};
      say({ header: { ...header, status }, payload: { choices: choice(status, { content }), ...usage } });
    }
    // It leaves it to the other side to close.
    if (fails) return say({ header: { ...header, code: 10_013, message: 'audit failed', status: 2 } });
    if (cutAfter < WORDS.length) socket.close();
  });
};

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => void parts.push(part));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as Json;
    posted.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content: 'Over HTTP.' };
    response.end(
      JSON.stringify({ id: 'h', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE }),
    );
  });
});
const sockets = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  if (!isSigned(request)) {
    const body = '{"message":"HMAC signature does not match"}';
    socket.end(`HTTP/1.1 401 Unauthorized\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`);
    return;
  }
  const { pathname } = new URL(request.url ?? '/', 'http://spark');
  sockets.handleUpgrade(request, socket, head, (raw) => speak(raw, pathname));
});

const CHANNELS = [
  ['max', `app-1|${SECRET}|the-key`, 'generalv3.5'],
  ['thinks', `app-1|${SECRET}|the-key`, 'spark-x'],
  ['wrong', 'app-1|another|the-key', 'generalv3.5'],
  ['password', 'the-password', 'generalv3.5'],
  ['desk', `app-1|${SECRET}|the-key`, 'SparkDesk-v4.0'],
] as const;

let rig: Rig;
beforeAll(async () => {
  const baseUrl = await listening(server);
  rig = await startRig(
    CHANNELS.map(([models, encryptedKey, model]) => ({
      type: 18,
      baseUrl,
      encryptedKey,
      models,
      modelMapping: JSON.stringify({ [models]: model }),
    })),
    {
      ModelRatio: Object.fromEntries(CHANNELS.map(([name]) => [name, 1])),
      RetryTimes: 0,
      AutomaticDisableChannelEnabled: true,
    },
  );
});
afterAll(async () => {
  await rig.stop();
  sockets.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ask = (model: string, content: unknown, beside: Json = {}): Promise<Response> =>
  fetch(`${rig.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content }], ...beside }),
  });
const STREAM = { stream: true, stream_options: { include_usage: true } };
const saidBy = async (response: Response, { stream }: { readonly stream: boolean }) => {
  const bytes = Buffer.from(await response.arrayBuffer());
  return saidIn(await eventsOf(chatDialects['openai-chat'], bytes, { stream }));
};

test.each([false, true])(
  'a signed key asks in one message and is answered in many (stream: %s)',
  async (stream) => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Is all well?' }] },
    ];
    const said = await saidBy(
      await ask('max', '', { messages, temperature: 0.5, ...(stream ? STREAM : {}) }),
      { stream },
    );
    expect(said).toMatchObject({ text: 'All is well.', finish: ['stop'], error: undefined });
    expect(said.usage).toMatchObject({ prompt: 11, completion: 4 });
    expect(asked.at(-1)).toEqual({
      path: '/v3.5/chat',
      body: {
        header: { app_id: 'app-1' },
        parameter: { chat: { domain: 'generalv3.5', temperature: 0.5, max_tokens: 100 } },
        payload: {
          message: {
            text: [
              { role: 'system', content: 'Be brief.' },
              { role: 'user', content: 'Is all well?' },
            ],
          },
        },
      },
    });
  },
);

test.each([false, true])('thoughts are passed on as thoughts (stream: %s)', async (stream) => {
  const response = await ask('thinks', 'Is all well?', {
    thinking: { type: 'enabled' },
    ...(stream ? STREAM : {}),
  });
  expect(await response.text()).toContain('"reasoning_content":"I look."');
  expect(asked.at(-1)).toMatchObject({
    path: '/v1/x1',
    body: { parameter: { chat: { domain: 'spark-x', thinking: { type: 'enabled' } } } },
  });
});

test('a model name with a version is sent to that version', async () => {
  expect((await saidBy(await ask('desk', 'Is all well?'), { stream: false })).text).toBe('All is well.');
  expect(asked.at(-1)).toMatchObject({
    path: '/v4.0/chat',
    body: { parameter: { chat: { domain: '4.0Ultra' } } },
  });
});

test('a connection is closed when its answer is over', async () => {
  await expect.poll(() => closed).toBe(asked.length);
});

test('tools, and keys of one part, go over HTTP', async () => {
  const tools = [
    { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
  ];
  expect((await saidBy(await ask('max', 'hello', { tools }), { stream: false })).text).toBe('Over HTTP.');
  expect(posted.at(-1)).toMatchObject({
    path: '/v1/chat/completions',
    authorization: `Bearer the-key:${SECRET}`,
  });
  expect((await saidBy(await ask('password', 'hello'), { stream: false })).text).toBe('Over HTTP.');
  expect(posted.at(-1)).toMatchObject({ authorization: 'Bearer the-password' });
});

test.each([
  { response_format: { type: 'json_object' } },
  { stop: ['well'] },
  { n: 2 },
  { seed: 7 },
  { presence_penalty: 1, tool_choice: 'auto' },
])('what a socket cannot be told goes over HTTP: %o', async (beside) => {
  const [before, sent] = [asked.length, { n: 1, stop: null, tools: [], ...beside }];
  expect((await saidBy(await ask('max', 'hello', sent), { stream: false })).text).toBe('Over HTTP.');
  expect(posted.at(-1)?.body).toMatchObject(beside);
  expect(asked.length).toBe(before);
});

test('a signature that is refused switches the channel off; what the caller did wrong does not', async () => {
  const forbidden = await ask('max', 'say something forbidden');
  expect([forbidden.status, await forbidden.text()]).toEqual([400, expect.stringContaining('audit failed')]);
  expect((await ask('max', 'say it too often', STREAM)).status).toBe(429);
  expect(rig.disabled).toEqual([]);
  expect((await ask('wrong', 'hello')).status).toBe(502);
  expect(rig.disabled.map(({ id }) => id)).toEqual([3]);
  expect((await ask('max', 'say it unlicensed')).status).toBe(502);
  expect(rig.disabled.map(({ id }) => id)).toEqual([3, 1]);
});

test('an answer that breaks off is told as such', async () => {
  expect((await ask('desk', 'break off')).status).toBe(502);
  const said = await saidBy(await ask('desk', 'break off', STREAM), { stream: true });
  expect(said).toMatchObject({ text: 'All is' });
  expect(said.error).toBeDefined();
});

test.each([{}, STREAM])('a socket whose answer ends with an error is closed by us: %o', async (beside) => {
  const before = closed;
  const answer = await ask('desk', 'fail midway', beside);
  // Whole, it is the caller's mistake; in a stream the status was sent before.
  expect([answer.status, await answer.text()]).toEqual([
    'stream' in beside ? 200 : 400,
    expect.stringContaining('audit failed'),
  ]);
  await expect.poll(() => closed).toBe(before + 1);
});
