import { createServer, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import {
  ANSWER_TEXT,
  type PlainFormat,
  plainFormats,
  type PlainFormatName,
} from '../testing/plain-formats.ts';

/**
 * A channel of two keys, alone with its model. What goes wrong with the first before an answer has begun, no agent notices:
 * the second answers, and is charged once.
 */

type Fault = (response: ServerResponse, format: PlainFormat, stream: boolean) => void;

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
const says =
  (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(text);
const refuses =
  (status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  (response, format) =>
    void response
      .writeHead(status, { ...JSON_TYPE, ...headers })
      .end(JSON.stringify(format.error(type, message)));
const streams =
  (text: (format: PlainFormat) => string): Fault =>
  (response, format) =>
    void response.writeHead(200, STREAM_TYPE).end(text(format));
const limited = (headers: Readonly<Record<string, string>> = {}) =>
  refuses(429, 'rate_limit_error', 'slow down', headers);
const inAMoment = (ms: number): string => new Date(Date.now() + ms).toUTCString();
const breaks =
  (begin: (response: ServerResponse) => void): Fault =>
  (response) => {
    begin(response);
    response.flushHeaders();
    // The head is on its way by then.
    setImmediate(() => response.socket?.destroy());
  };
/** The beginning of a stream, with a role and no word yet. */
const beginningOf = ({ stream }: PlainFormat): string => {
  const end = stream.indexOf('\n\n', stream.indexOf(ANSWER_TEXT)) + 2;
  return stream.slice(0, end).replace(ANSWER_TEXT, '').replace('"finishReason":"STOP",', '');
};
const begins =
  (end: (response: ServerResponse) => void): Fault =>
  (response, format, stream) => {
    response.writeHead(200, stream ? STREAM_TYPE : JSON_TYPE);
    const text = stream ? beginningOf(format) : JSON.stringify(format.whole).slice(0, 20);
    response.write(text, () => setImmediate(end, response));
  };
const answerOf = (format: PlainFormat, stream: boolean): string =>
  stream ? format.stream : JSON.stringify(format.whole);

const faults: Readonly<Record<string, Fault>> = {
  'reset before the head': (response) => void response.socket?.destroy(),
  'reset after the head': breaks((response) => response.writeHead(200, STREAM_TYPE)),
  'reset in the middle of a body': breaks((response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' });
    response.write('{"id');
  }),
  'reset in the head': (response) => {
    const { socket } = response;
    socket?.write('HTTP/1.1 200 OK\r\nContent-Ty', () => socket.resetAndDestroy());
  },
  'no HTTP': (response) => void response.socket?.end('SSH-2.0-OpenSSH_9\r\n'),
  'a beginning without a word': begins((response) => response.end()),
  'a beginning without a word, and a reset': begins((response) => response.socket?.resetAndDestroy()),
  'an empty stream': says(200, '', STREAM_TYPE),
  '500': refuses(500, 'api_error', 'failed'),
  '529': refuses(529, 'overloaded_error', 'Overloaded'),
  '503 as a page': says(503, '<html>busy</html>', { 'content-type': 'text/html' }),
  '502 without a body': says(502, ''),
  '401': refuses(401, 'authentication_error', 'bad key'),
  '402': refuses(402, 'billing_error', 'pay first'),
  '403 of quota': refuses(403, 'insufficient_quota', 'You exceeded your current quota'),
  '429': limited(),
  '429 for seconds': limited({ 'retry-after': '7' }),
  '429 for milliseconds': limited({ 'retry-after-ms': '7000' }),
  '429 until a moment': limited({ 'retry-after': inAMoment(3_600_000) }),
  '429 until a moment that is past': limited({ 'retry-after': inAMoment(-3_600_000) }),
  '429 for a year': limited({ 'retry-after': '31536000' }),
  '429 for soon': limited({ 'retry-after': 'soon' }),
  '200 with an error of quota': refuses(200, 'insufficient_quota', 'You exceeded your current quota'),
  '200 with a text as error': says(200, '{"error":"insufficient balance"}', JSON_TYPE),
  '200 with a code and a text': says(200, '{"code":1001,"msg":"insufficient balance"}', JSON_TYPE),
  '200 with an old code of Baidu': says(200, '{"error_code":17,"error_msg":"insufficient quota"}', JSON_TYPE),
  '200 with a page': says(200, '<!doctype html><html>sign in</html>', { 'content-type': 'text/html' }),
  '200 without a body': says(200, '', JSON_TYPE),
  '200 with null': says(200, 'null', JSON_TYPE),
  '200 with an empty list': says(200, '[]', JSON_TYPE),
  '200 with an empty object': says(200, '{}', JSON_TYPE),
  '200 with half of an object': says(200, '{"id":"c","choi', JSON_TYPE),
  '204': says(204, ''),
  'what is not gzip': says(200, 'not gzip at all', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  'half of a gzip': (response, format, stream) =>
    void response
      .writeHead(200, { ...(stream ? STREAM_TYPE : JSON_TYPE), 'content-encoding': 'gzip' })
      .end(gzipSync(answerOf(format, stream)).subarray(0, 12)),
  'a compression nobody knows': says(200, 'xxxx', { ...JSON_TYPE, 'content-encoding': 'none-such' }),
  'an error as the first event': streams(({ errorEvent }) => errorEvent),
  'an error after a comment': streams(({ errorEvent }) => `: ping\n\n${errorEvent}`),
  'an error that is no event': streams(({ error }) =>
    JSON.stringify(error('insufficient_quota', 'no quota')),
  ),
  'an event of an empty account': streams(
    ({ error }) => `data: ${JSON.stringify(error('unknown_error', 'Insufficient Balance'))}\n\n`,
  ),
  'an event of a mistake that is none': streams(
    ({ error }) => `data: ${JSON.stringify(error('invalid_request_error', 'Insufficient Balance'))}\n\n`,
  ),
  'an event with a status in words': streams(
    () => 'data: {"error":{"code":"401","message":"no auth credentials found"}}\n\n',
  ),
  'an event that repeats its caller': streams(
    ({ error }) =>
      `data: ${JSON.stringify(error('api_error', `The prompt could not be read. ${'It said: '.repeat(30)}insufficient quota`))}\n\n`,
  ),
  'comments alone': says(200, ': ping\n\n: ping\n\n', STREAM_TYPE),
  'an end alone': says(200, 'data: [DONE]\n\n', STREAM_TYPE),
  'a redirect': says(302, '', { location: 'http://127.0.0.1:1/' }),
};
const faultNames = Object.keys(faults);
const BAD = 'sk-a-long-enough-key-baad';
const GOOD = 'sk-a-long-enough-key-good';

let upstream: Server;
let scene: Scene;
let caller = '';
let baseUrl = '';
const ids = new Map<string, number>();

const modelOf = (format: string, fault: string): string => `${format}-${String(faultNames.indexOf(fault))}`;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      const [, name = '', at = ''] = (request.url ?? '').split('/');
      const format = plainFormats[name as PlainFormatName];
      const stream = body.includes('"stream":true') || (request.url ?? '').includes(':stream');
      const fault = faults[faultNames[Number(at)] ?? ''];
      const isBad = JSON.stringify([request.headers, request.url]).includes(BAD);
      if (isBad && fault !== undefined) return fault(response, format, stream);
      response.writeHead(200, stream ? STREAM_TYPE : JSON_TYPE).end(answerOf(format, stream));
    });
  });
  baseUrl = await listening(upstream);
  scene = await openScene();
  const models = Object.keys(plainFormats).flatMap((format) =>
    faultNames.map((name) => modelOf(format, name)),
  );
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))));
  await scene.set('RetryTimes', 1);
  await scene.set('AutomaticDisableChannelEnabled', true);
  caller = (await scene.spender('agent', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** A call to a channel of its own. @returns what the caller got, and what the ledger and the log have of it */
const ask = async (name: PlainFormatName, fault: string, stream: boolean) => {
  const format = plainFormats[name];
  const model = modelOf(name, fault);
  if (!ids.has(model)) {
    const { channelType: type } = format;
    const key = `${BAD}\n${GOOD}`;
    const at = `${baseUrl}/${name}/${String(faultNames.indexOf(fault))}`;
    ids.set(model, (await scene.stage.pool(scene.root, { type, baseUrl: at, models: model, key })).id);
  }
  const reply = await fetch(scene.server.url + format.path(model, stream), {
    method: 'POST',
    headers: { ...JSON_TYPE, ...format.headers(`sk-${caller}`) },
    body: JSON.stringify(format.body(model, stream)),
  });
  const text = await reply.text();
  return { status: reply.status, isAnswer: text.includes(ANSWER_TEXT) && !/"error": ?\{/.test(text) };
};

const charges = async (model: string): Promise<number[]> => {
  const rows = await scene.asRoot(`/api/log?p=1&page_size=10&model_name=${encodeURIComponent(`=${model}`)}`);
  return (rows.data as { items: { quota: number }[] }).items.map(({ quota }) => quota);
};

describe.each(Object.keys(plainFormats) as PlainFormatName[])(
  'agents that speak %s do not notice',
  (name) => {
    it.each(faultNames)('%s', async (fault) => {
      for (const stream of [true, false])
        expect({ stream, ...(await ask(name, fault, stream)) }).toEqual({
          stream,
          status: 200,
          isAnswer: true,
        });
      const units = () => charges(modelOf(name, fault));
      await expect.poll(async () => (await units()).length).toBe(2);
      expect(await units()).toEqual([20, 20]);
    });
  },
);

describe('the refused key afterwards', () => {
  it.each([
    ['401', 'revoked'],
    ['402', 'spent'],
    ['403 of quota', 'spent'],
    ['200 with an error of quota', 'spent'],
    ['200 with a text as error', 'spent'],
    ['200 with a code and a text', 'spent'],
    ['200 with an old code of Baidu', 'spent'],
    ['an event of an empty account', 'spent'],
    ['an event of a mistake that is none', 'spent'],
    ['an event with a status in words', 'revoked'],
    ['an event that repeats its caller', 'enabled'],
    ['429 until a moment', 'cooling'],
    ['429 for a year', 'cooling'],
    ['429 for seconds', 'enabled'],
    ['429 until a moment that is past', 'enabled'],
    ['529', 'enabled'],
    ['reset before the head', 'enabled'],
  ])('after %s: %s', async (fault, state) => {
    const id = ids.get(modelOf('chat', fault)) ?? 0;
    const stateOf = async (tail: string) =>
      (await scene.stage.keysOf(id)).find((key) => key.tail === tail)?.status;
    await expect.poll(() => stateOf('baad')).toBe(state);
    expect(await stateOf('good')).toBe('enabled');
  });
});

it('no money is lost or held', async () => {
  const { database } = scene.server.parts.stores;
  const audit = () => brokenRules(database);
  expect(await audit()).toEqual([]);
});
