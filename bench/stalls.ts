/**
 * Sends what is heaviest to every kind of endpoint of a real server and tells how long each call held its event loop at
 * most: `node bench/stalls.ts`, one kind with `--only gzip`, with a profile of each with `--profile <folder>`.
 */
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { makeChannel, makeToken, setOption, setUp } from '../e2e/support/operator.ts';
import { startTollgate } from '../e2e/support/tollgate.ts';
import { type HeavyCall, heavyCalls } from './stall-bodies.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'string' },
  },
});

const REPLY = 'The quick brown fox jumps over the lazy dog, 42 times a day. '.repeat(500_000);
const EVENT = REPLY.slice(0, 7_000_000);
const USAGE = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };

const chatReply = (text: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: USAGE,
});
const messagesReply = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 5 },
});
const geminiReply = (text: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
});

const event = (value: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`;

const chunk = (delta: object, finish: string | null) =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

const streamOf = (path: string): string => {
  if (path.includes('/messages')) {
    return [
      event(
        { type: 'message_start', message: { ...messagesReply(''), content: [], stop_reason: null } },
        'message_start',
      ),
      event(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        'content_block_start',
      ),
      event(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: EVENT } },
        'content_block_delta',
      ),
      event({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
      event(
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
        'message_delta',
      ),
      event({ type: 'message_stop' }, 'message_stop'),
    ].join('');
  }
  if (path.includes('v1beta')) return event(geminiReply(EVENT));
  const usage = event({ ...chatReply(''), object: 'chat.completion.chunk', choices: [] });
  const text = chunk({ role: 'assistant', content: EVENT }, null);
  return `${text}${chunk({}, 'stop')}${usage}data: [DONE]\n\n`;
};

const answer = (path: string, isHeavy: boolean, response: ServerResponse): void => {
  const text = isHeavy ? REPLY : 'ok';
  const type = isHeavy && path.includes('stream') ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type });
  if (path.includes('/embeddings')) response.end(JSON.stringify({ object: 'list', data: [], usage: USAGE }));
  else if (path.includes('/messages')) response.end(JSON.stringify(messagesReply(text)));
  else if (path.includes('v1beta')) response.end(JSON.stringify(geminiReply(text)));
  else response.end(JSON.stringify(chatReply(text)));
};

/** An upstream of all formats that reads everything and answers a word, or as much as is asked for. */
const startUpstream = async (): Promise<{ url: string; close(): void }> => {
  const server = createServer((request, response) => {
    let head = '';
    request.on('data', (piece: Buffer) => {
      if (head.length < 4096) head += piece.toString('latin1', 0, 4096);
    });
    request.on('end', () => {
      const { url = '' } = request;
      const isHeavy = head.includes('-reply') || url.includes('-reply');
      if (isHeavy && (head.includes('"stream":true') || url.includes('stream'))) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(streamOf(url));
      } else answer(url, isHeavy, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createSocketServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const median = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;

const upstream = await startUpstream();
const probePort = await freePort();
const tollgate = await startTollgate({
  env: { STALL_PROBE_PORT: String(probePort) },
  nodeFlags: [
    `--import=${import.meta.dirname}/stall-probe.ts`,
    ...(values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]),
  ],
});
const operator = await setUp(tollgate);
const models = ['same', 'claude', 'gem'].flatMap((model) => [model, `${model}-reply`]);
await setOption(operator, 'ModelRatio', Object.fromEntries(models.map((model) => [model, 0.0001])));
await makeChannel(operator, { name: 'chat', baseUrl: upstream.url, models: ['same', 'same-reply'] });
await makeChannel(operator, {
  type: 14,
  name: 'messages',
  baseUrl: upstream.url,
  models: ['claude', 'claude-reply'],
});
await makeChannel(operator, {
  type: 24,
  name: 'gemini',
  baseUrl: upstream.url,
  models: ['gem', 'gem-reply'],
});
const { key } = await makeToken(operator);

const probe = async (): Promise<{ wallMs: number; busyMs: number }> =>
  (await fetch(`http://127.0.0.1:${probePort}`)).json() as Promise<{ wallMs: number; busyMs: number }>;

const send = async ({ path, headers }: HeavyCall, body: Buffer): Promise<number> => {
  const response = await fetch(`${tollgate.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'anthropic-version': '2023-06-01',
      ...headers,
    },
    body: new Uint8Array(body),
  });
  const text = await response.text();
  if (values.profile !== undefined && response.status >= 400) console.error(text.slice(0, 300));
  return response.status;
};

const rounds = Number(values.rounds);
console.log(
  '| call | status | MB | held, ms of processor | held, ms by the clock |\n| --- | ---: | ---: | ---: | ---: |',
);
try {
  for (const call of heavyCalls.filter(({ name }) => name.includes(values.only))) {
    const body = call.body();
    const busy: number[] = [];
    const wall: number[] = [];
    let status = 0;
    for (let round = 0; round < rounds; round += 1) {
      await probe();
      status = await send(call, body).catch(() => 0);
      const held = await probe();
      busy.push(held.busyMs);
      wall.push(held.wallMs);
    }
    const size = (body.length / 1024 / 1024).toFixed(1);
    console.log(
      `| ${call.name} | ${status} | ${size} | ${median(busy).toFixed(1)} | ${median(wall).toFixed(1)} |`,
    );
  }
} finally {
  await tollgate.stop();
  upstream.close();
}
