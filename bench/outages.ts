/**
 * What callers notice when one of three upstreams fails, in every way that upstreams do: `node bench/outages.ts`, or some ways
 * with `--only hangs,flaps`, and with `--models 20 --keys 10 --relays 2` for each channel and the server. 200 streams a second
 * go through a real server; the upstream is sound for some seconds, fails for fifteen, and is sound again. Tells how many calls
 * failed, how long 99 of 100 took before and meanwhile, how many upstream calls a call cost, which share the failing one had
 * after ten seconds, and how soon it had its share again.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeToken, setOption, setUp } from '../e2e/support/operator.ts';
import { startTollgate } from '../e2e/support/tollgate.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rate: { type: 'string', default: '200' },
    models: { type: 'string', default: '1' },
    keys: { type: 'string', default: '1' },
    relays: { type: 'string', default: '1' },
  },
});
const MODELS = Array.from({ length: Number(values.models) }, (_, at) => `m${at}`);
const CALLS_A_SECOND = Number(values.rate);
const [SOUND_MS, BAD_MS, MOST_BACK_MS] = [6000, 15_000, 40_000];
const SETTLED_AFTER_MS = 10_000;
const DEADLINE_MS = 1000;
const FLAP_MS = 5000;
const LATELY_MS = 2000;
const BACK_SHARE = 0.2;

const event = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`;
const word = (content: string) =>
  event({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
const END = `${event({
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})}data: [DONE]\n\n`;
const STREAM = { 'content-type': 'text/event-stream' };

const answer = (response: ServerResponse): void => {
  response.writeHead(200, STREAM).end(word('hi') + END);
};
const refuse = (response: ServerResponse, status: number, message: string, headers = {}): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error: { message } }));
};
const resetAfter = (response: ServerResponse, text: string): void => {
  response.writeHead(200, STREAM).write(text, () => {
    setTimeout(() => response.socket?.resetAndDestroy(), 20);
  });
};

type Way = (response: ServerResponse, request: IncomingMessage) => void;

/** How an upstream fails after it was asked. */
const ways: Readonly<Record<string, Way>> = {
  hangs: () => {},
  'hangs after its head': (response) => void response.writeHead(200, STREAM).flushHeaders(),
  'hangs, but pings': (response) => {
    response.writeHead(200, STREAM);
    const pings = setInterval(() => response.write(': ping\n\n'), 200);
    response.once('close', () => clearInterval(pings));
  },
  'hangs, one call of three': (response) => {
    if (Math.random() < 2 / 3) answer(response);
  },
  flaps: (response) => {
    if (Math.floor(performance.now() / FLAP_MS) % 2 === 0) answer(response);
  },
  'late, after 3 s': (response) => void setTimeout(() => answer(response), 3000),
  'slow, 600 ms': (response) => void setTimeout(() => answer(response), 600),
  '200 with an error inside': (response) =>
    void response
      .writeHead(200, STREAM)
      .end(`data: ${JSON.stringify({ error: { message: 'overloaded', type: 'server_error' } })}\n\n`),
  '200 with HTML': (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>We will be back</h1>'),
  'reset before the first token': (response) => resetAfter(response, ': one moment\n\n'),
  'reset after the first token': (response) => resetAfter(response, word('hi')),
  '429, Retry-After of an hour': (response) => refuse(response, 429, 'slow down', { 'retry-after': '3600' }),
  500: (response) => refuse(response, 500, 'broken'),
  503: (response) => refuse(response, 503, 'overloaded'),
  'closes connections': (response) => void response.socket?.destroy(),
};
/** How it fails before; of these the channel has an address of its own. */
const addresses = ['TLS fails', 'the name is unknown'] as const;

let way: Way | undefined;
const calledAtMs: Record<string, number[]> = { a: [], b: [], c: [] };
const upstream = createServer((request, response) => {
  request.resume().on('end', () => {
    const name = (request.url ?? '').split('/')[1] ?? '';
    calledAtMs[name]?.push(performance.now());
    if (name === 'a' && way !== undefined) way(response, request);
    else answer(response);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'tollgate-outages-'));
const [keyFile, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
const asked =
  'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
execFileSync('openssl', [...asked.split(' '), '-keyout', keyFile, '-out', certificate], { stdio: 'ignore' });
let breaksTls = false;
const secure = createSecure(
  { key: readFileSync(keyFile), cert: readFileSync(certificate) },
  (request, response) => {
    request.resume().on('end', () => {
      calledAtMs['a']?.push(performance.now());
      answer(response);
    });
  },
);
const sockets = new Set<Socket>();
secure.prependListener('connection', (socket: Socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  if (!breaksTls) return;
  calledAtMs['a']?.push(performance.now());
  socket.end('this is no handshake\n');
});

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const [plainPort, securePort] = [await listening(upstream), await listening(secure)];

const p99 = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length * 0.99)] ?? 0;
const between = (times: readonly number[] = [], fromMs: number, untilMs: number): number =>
  times.filter((atMs) => atMs >= fromMs && atMs < untilMs).length;
const shareOfBad = (fromMs: number, untilMs: number): number => {
  const counts = Object.values(calledAtMs).map((times) => between(times, fromMs, untilMs));
  return (counts[0] ?? 0) / counts.reduce((sum, count) => sum + count, 0);
};

interface Called {
  readonly atMs: number;
  readonly ms: number;
  readonly failure?: string;
}

/** A server with three channels of the model, the first of which fails in this way. */
const setUpFor = async (name: string) => {
  const tollgate = await startTollgate({
    env: { NODE_EXTRA_CA_CERTS: certificate, TOLLGATE_RELAYS: values.relays },
  });
  const operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', Object.fromEntries(MODELS.map((model) => [model, 0.0001])));
  await setOption(operator, 'RetryTimes', 3);
  const { key } = await makeToken(operator);
  const address = (channel: string): string => {
    if (channel === 'a' && name === 'TLS fails') return `https://127.0.0.1:${securePort}`;
    if (channel === 'a' && name === 'the name is unknown') return 'http://nobody-is-here.invalid';
    return `http://127.0.0.1:${plainPort}/${channel}`;
  };
  for (const channel of ['a', 'b', 'c'])
    await operator.call('/api/channel', {
      method: 'POST',
      body: {
        type: 1,
        name: channel,
        key: Array.from({ length: Number(values.keys) }, (_, at) => `sk-of-a-channel-${at}`).join('\n'),
        ...(Number(values.keys) > 1 && { pool_mode: 'in_turn' }),
        base_url: address(channel),
        models: MODELS.join(','),
        group: 'default',
      },
    });
  const deadlines = Object.fromEntries(MODELS.map((model) => [model, { deadline_ms: DEADLINE_MS }]));
  await setOption(operator, 'upstream_setting.first_token', deadlines);
  return { tollgate, key };
};

/** A stream; why it failed, if it did. */
const stream = async (url: string, key: string, model = ''): Promise<Called> => {
  const atMs = performance.now();
  let failure: string | undefined;
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    const text = await response.text();
    if (!text.endsWith('data: [DONE]\n\n') || text.includes('"error"'))
      failure = `${response.status} ${text.slice(-150)}`;
  } catch (thrown) {
    failure = String(thrown);
  }
  return { atMs, ms: performance.now() - atMs, ...(failure !== undefined && { failure }) };
};

/** Calls at a steady rate until it is stopped. */
const startLoad = (url: string, key: string) => {
  const called: Called[] = [];
  const running = new Set<Promise<void>>();
  let isOver = false;
  const load = (async () => {
    const beganMs = performance.now();
    for (let at = 0; !isOver; at += 1) {
      const one: Promise<void> = stream(url, key, MODELS[at % MODELS.length])
        .then((made) => void called.push(made))
        .finally(() => running.delete(one));
      running.add(one);
      await pause(Math.max(0, beganMs + ((at + 1) * 1000) / CALLS_A_SECOND - performance.now()));
    }
    await Promise.all(running);
  })();
  return {
    called,
    async stop() {
      isOver = true;
      await load;
    },
  };
};

const setBad = (name: string, isBad: boolean): void => {
  way = isBad ? ways[name] : undefined;
  breaksTls = isBad && name === 'TLS fails';
  if (breaksTls) for (const socket of sockets) socket.destroy();
};

const run = async (name: string): Promise<void> => {
  for (const times of Object.values(calledAtMs)) times.length = 0;
  const { tollgate, key } = await setUpFor(name);
  const { called, stop } = startLoad(tollgate.url, key);
  await pause(SOUND_MS);
  const badAtMs = performance.now();
  setBad(name, true);
  await pause(BAD_MS);
  const soundAtMs = performance.now();
  setBad(name, false);
  const isBack = (): boolean => shareOfBad(performance.now() - LATELY_MS, performance.now()) > BACK_SHARE;
  const canBeBack = name !== 'the name is unknown';
  while (canBeBack && !isBack() && performance.now() - soundAtMs < MOST_BACK_MS) await pause(200);
  const backMs = performance.now() - soundAtMs;
  await stop();
  await tollgate.stop();
  const took = (fromMs: number, untilMs: number): string =>
    p99(called.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs).map(({ ms }) => ms)).toFixed(0);
  const settledAtMs = badAtMs + SETTLED_AFTER_MS;
  const upstreamCalls = Object.values(calledAtMs).map((times) => between(times, badAtMs, soundAtMs));
  const callsMeanwhile = called.filter(({ atMs }) => atMs >= badAtMs && atMs < soundAtMs).length;
  const failures = called.flatMap(({ failure }) => failure ?? []);
  const figures = [
    `${failures.length} of ${called.length}`,
    took(badAtMs - SOUND_MS / 2, badAtMs),
    took(badAtMs, soundAtMs),
    took(settledAtMs, soundAtMs),
    (upstreamCalls.reduce((sum, count) => sum + count, 0) / callsMeanwhile).toFixed(2),
    `${(100 * shareOfBad(settledAtMs, soundAtMs)).toFixed(1)} %`,
    canBeBack ? (backMs / 1000).toFixed(1) : '',
  ];
  console.log(`| ${name} | ${figures.join(' | ')} |`);
  for (const failure of [...new Set(failures)].slice(0, 3)) console.log(`  ${JSON.stringify(failure)}`);
};

console.log(
  '| one of three | failed | p99 before, ms | p99 meanwhile | after 10 s | upstream calls a call | its share after 10 s | back after, s |',
);
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
const only = values.only?.split(',');
try {
  for (const name of [...Object.keys(ways), ...addresses])
    if (only === undefined || only.some((part) => name.includes(part))) await run(name);
} finally {
  upstream.closeAllConnections();
  upstream.close();
  secure.closeAllConnections();
  secure.close();
}
