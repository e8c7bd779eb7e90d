/**
 * Sends the heaviest calls to every kind of endpoint of a real server and prints the longest time that each one blocked
 * its event loop: `node bench/stalls.ts`. `--only gzip` runs one kind, `--profile <folder>` writes a profile of each.
 */
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { WebSocketServer } from 'ws';
import { rootPassword, makeChannel, makeToken, setOption, setUp } from '../e2e/support/operator.ts';
import { startTollgate } from '../e2e/support/tollgate.ts';
import { heavyAnswers } from './stalls/answers.ts';
import { heavyBodies } from './stalls/bodies.ts';
import type { HeavyCall, Site } from './stalls/call.ts';
import { heavyControl } from './stalls/control.ts';
import { replyAt } from './stalls/formats.ts';
import { heavyFurther } from './stalls/further.ts';
import { heavyOperations } from './stalls/near.ts';
import { heavyOthers, saidMuch } from './stalls/others.ts';
import { heavyPictures } from './stalls/pictures.ts';
import { heavyStreams } from './stalls/streams.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'string' },
    words: { type: 'boolean', default: false },
    /** Prints only calls above this number of milliseconds. */
    above: { type: 'string', default: '0' },
  },
});

/** The call being measured. */
let current: HeavyCall | undefined;

const plainAnswer = (path: string): Buffer => {
  if (path.includes('/embeddings'))
    return Buffer.from(JSON.stringify({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } }));
  if (path.includes('/images')) return Buffer.from('{"created":1,"data":[{"b64_json":"iVBORw0KGgoA"}]}');
  if (path.includes('/rerank')) return Buffer.from('{"results":[{"index":0,"relevance_score":0.5}]}');
  return Buffer.from(JSON.stringify(replyAt(path, 'word')));
};

const answer = (path: string, response: ServerResponse): void => {
  const heavy = current?.answer?.(path);
  const { status = 200, headers = {}, type = 'text/event-stream' } = heavy ?? { type: 'application/json' };
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(heavy?.body ?? plainAnswer(path));
};

/** An upstream of all formats that reads everything and answers one word, or the answer given by the measured call. */
const startUpstream = async (): Promise<{ url: string; close(): void }> => {
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    request.resume();
    request.on('end', () => answer(request.url ?? '', response));
  });
  const sockets = new WebSocketServer({ server, maxPayload: 64 * 1024 * 1024 });
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const head = data.toString('latin1', 0, 200);
      const [, kind] = /"ask","big":"(\w+)"/.exec(head) ?? [];
      if (kind !== undefined) for (const said of saidMuch(kind)) socket.send(said);
      if (head.includes('"last"')) socket.send('{"type":"over"}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => (sockets.close(), void server.close()) };
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createSocketServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const upstream = await startUpstream();
const probePort = await freePort();
const tollgate = await startTollgate({
  env: { STALL_PROBE_PORT: String(probePort) },
  nodeFlags: [
    `--import=${import.meta.dirname}/stalls/probe.ts`,
    ...(values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]),
  ],
});

const WORDS = 10_000;

const prepare = async (): Promise<Site> => {
  const operator = await setUp(tollgate);
  const models = ['same', 'claude', 'gem', 'realtime', 'mj_imagine', 'mj_blend', 'suno_music', 'suno_lyrics'];
  const { url } = upstream;
  await setOption(operator, 'GlobalApiRateLimitEnable', false).catch(() => undefined);
  await setOption(operator, 'ModelRatio', Object.fromEntries(models.map((model) => [model, 0.0001])));
  await setOption(
    operator,
    'ModelPrice',
    Object.fromEntries(models.slice(4).map((model) => [model, 0.0001])),
  );
  if (values.words) {
    const words = Array.from({ length: WORDS }, (_, at) => `badword${at}`);
    await setOption(operator, 'SensitiveWords', words.join('\n'));
    await setOption(operator, 'CheckSensitiveOnCompletionEnabled', 'true');
  } else await setOption(operator, 'CheckSensitiveEnabled', 'false');
  await makeChannel(operator, { name: 'chat', baseUrl: url, models: ['same', 'realtime'] });
  await makeChannel(operator, { type: 14, name: 'messages', baseUrl: url, models: ['claude'] });
  await makeChannel(operator, { type: 24, name: 'gemini', baseUrl: url, models: ['gem'] });
  await makeChannel(operator, { type: 2, name: 'mj', baseUrl: url, models: ['mj_imagine', 'mj_blend'] });
  await makeChannel(operator, {
    type: 36,
    name: 'suno',
    baseUrl: url,
    models: ['suno_music', 'suno_lyrics'],
  });
  const { key } = await makeToken(operator);
  const signed = await fetch(`${tollgate.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: rootPassword }),
  });
  const cookie = signed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const headers = { cookie, 'New-Api-User': String(operator.userId) };
  return { url: tollgate.url, key, operator, headers };
};

const site = await prepare();

const probe = async (): Promise<{ wallMs: number; busyMs: number }> =>
  (await fetch(`http://127.0.0.1:${probePort}`)).json() as Promise<{ wallMs: number; busyMs: number }>;

const send = async (call: HeavyCall, body: Buffer | undefined): Promise<number> => {
  if (call.ask !== undefined) return call.ask(site);
  const { path, method = 'POST', headers, isSignedIn } = call;
  const response = await fetch(`${tollgate.url}${path}`, {
    method,
    headers: {
      ...(isSignedIn === true ? site.headers : { authorization: `Bearer ${site.key}` }),
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: new Uint8Array(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (values.profile !== undefined && response.status >= 400) console.error(bytes.toString('utf8', 0, 300));
  return response.status;
};

const calls = [
  ...heavyBodies,
  ...heavyOperations,
  ...heavyAnswers,
  ...heavyStreams,
  ...heavyOthers,
  ...heavyFurther,
  ...heavyPictures,
  ...heavyControl,
];
const patterns = values.only.split('|');

const rounds = Number(values.rounds);
console.log(
  '| call | status | MB | least held, ms of processor | median | by the clock |\n| --- | ---: | ---: | ---: | ---: | ---: |',
);
const sorted = (figures: readonly number[]) => figures.toSorted((one, other) => one - other);
try {
  for (const call of calls.filter(({ name }) => patterns.some((pattern) => name.includes(pattern)))) {
    current = undefined;
    const body = call.body?.();
    await call.before?.(site);
    current = call;
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
    const size = ((body?.length ?? 0) / 1024 / 1024).toFixed(1);
    const middle = Math.floor(rounds / 2);
    const [least = 0] = sorted(busy);
    const figures = [least, sorted(busy)[middle] ?? 0, sorted(wall)[middle] ?? 0].map((ms) => ms.toFixed(1));
    if (least >= Number(values.above))
      console.log(`| ${call.name} | ${status} | ${size} | ${figures.join(' | ')} |`);
  }
} catch (thrown) {
  console.error(tollgate.program.output().slice(-3000));
  throw thrown;
} finally {
  await tollgate.stop();
  upstream.close();
}
