import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { ApiError, GoogleGenAI } from '@google/genai';
import { APICallError, generateText, streamText } from 'ai';
import { createServer } from 'node:http';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { chatAnswer } from '../support/upstreams/scripted-formats.ts';

/** When something fails, each client raises its own error with its fields, retries if advised to, and can be stopped. */

const WORDS = 'A long story, told slowly. '.repeat(20);
/** The upstream: `refusals` answers of 429 before it answers at all, streams slowly. */
let refusals = 0;
let isWrong = false;
let left = 0;
const upstream = createServer((request, response) => {
  if (isWrong) {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(
      '{"error":{"message":"messages.0 is too odd","type":"invalid_request_error","param":"messages.0","code":"invalid_value"}}',
    );
    return;
  }
  if (refusals > 0) {
    refusals -= 1;
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
    response.end('{"error":{"message":"slow down","type":"rate_limit_error"}}');
    return;
  }
  const { events, whole } = chatAnswer({ text: WORDS });
  if (!(request.url ?? '').endsWith('/stream')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const frames = events().split(/(?<=\n\n)/);
  const timer = setInterval(() => void response.write(frames.shift() ?? ': more\n\n'), 20);
  response.on('close', () => {
    clearInterval(timer);
    left += 1;
  });
});

let rig: Rig;
let poor: Rig;
beforeAll(async () => {
  const baseUrl = await listening(upstream);
  const channels = [{ type: typeOfFormat('openai-chat'), baseUrl, models: 'm', autoDisable: false }];
  rig = await startRig(channels, { RetryTimes: 0 }, undefined, oneFormatUpstream);
  poor = await startRig(channels, { RetryTimes: 0 }, 1, oneFormatUpstream);
});
beforeEach(() => {
  isWrong = false;
  refusals = 0;
  left = 0;
});
afterAll(async () => {
  await rig.stop();
  await poor.stop();
  hangUp(upstream);
});

const messages = [{ role: 'user' as const, content: 'Tell a story.' }];
interface Address {
  readonly url: string;
  readonly key: string;
}

/** One call, made with each client. */
const callsOf = ({ url, key }: Address, model: string, maxRetries: number) => {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries });
  const anthropic = new Anthropic({ baseURL: url, apiKey: key, maxRetries });
  const retryOptions = { attempts: maxRetries + 1 };
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, retryOptions } });
  const ai = (provider: Parameters<typeof generateText>[0]['model']) =>
    generateText({ model: provider, prompt: 'x', maxRetries });
  return {
    'openai, chat': () => openai.chat.completions.create({ model, messages }),
    'openai, responses': () => openai.responses.create({ model, input: 'x' }),
    anthropic: () => anthropic.messages.create({ model, max_tokens: 99, messages }),
    google: () => google.models.generateContent({ model, contents: 'x' }),
    'ai, openai': () => ai(createOpenAI({ baseURL: `${url}/v1`, apiKey: key })(model)),
    'ai, anthropic': () => ai(createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model)),
    'ai, google': () => ai(createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(model)),
  };
};

const failureOf = (call: () => PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call()).then(
    () => undefined,
    (error: unknown) => error,
  );

/** Each client's error class for a status. */
const OPENAI_ERRORS: Readonly<Record<number, new (...args: never[]) => Error>> = {
  400: OpenAI.BadRequestError,
  401: OpenAI.AuthenticationError,
  403: OpenAI.PermissionDeniedError,
  429: OpenAI.RateLimitError,
  404: OpenAI.NotFoundError,
};
const ANTHROPIC_ERRORS: Readonly<Record<number, new (...args: never[]) => Error>> = {
  400: Anthropic.BadRequestError,
  401: Anthropic.AuthenticationError,
  403: Anthropic.PermissionDeniedError,
  429: Anthropic.RateLimitError,
  404: Anthropic.NotFoundError,
};

const ID = /^20\d{12}\w{17}$/;

interface Trouble {
  readonly what: string;
  readonly at: () => Address;
  readonly model?: string;
  readonly refused?: true;
  readonly wrong?: true;
  readonly status: number;
  readonly code: string;
  /** The status for Anthropic's clients, if it differs. */
  readonly anthropicStatus?: number;
  readonly anthropicType: string;
  readonly googleStatus: string;
}

const troubles: readonly Trouble[] = [
  {
    what: 'a wrong key',
    at: () => ({ url: rig.url, key: 'sk-wrong' }),
    status: 401,
    code: 'invalid_api_key',
    anthropicType: 'authentication_error',
    googleStatus: 'UNAUTHENTICATED',
  },
  {
    what: 'an empty balance',
    at: () => poor,
    status: 403,
    code: 'insufficient_user_quota',
    anthropicStatus: 402,
    anthropicType: 'billing_error',
    googleStatus: 'PERMISSION_DENIED',
  },
  {
    what: 'a model nobody serves',
    at: () => rig,
    model: 'nothing',
    status: 404,
    code: 'model_not_found',
    anthropicType: 'not_found_error',
    googleStatus: 'NOT_FOUND',
  },
  {
    what: 'an upstream that is asked too often',
    at: () => rig,
    refused: true,
    status: 429,
    code: 'rate_limited',
    anthropicType: 'rate_limit_error',
    googleStatus: 'RESOURCE_EXHAUSTED',
  },
  {
    what: 'a request the upstream finds wrong',
    at: () => rig,
    wrong: true,
    status: 400,
    code: 'invalid_value',
    anthropicType: 'invalid_request_error',
    googleStatus: 'INVALID_ARGUMENT',
  },
];

describe.each(troubles)(
  '$what',
  ({
    at,
    model = 'm',
    refused,
    wrong,
    status,
    code,
    anthropicStatus = status,
    anthropicType,
    googleStatus,
  }) => {
    const failures = async () => {
      const found: Record<string, unknown> = {};
      for (const [name, call] of Object.entries(callsOf(at(), model, 0))) {
        refusals = refused ? 1 : 0;
        isWrong = wrong === true;
        found[name] = await failureOf(call);
      }
      return found;
    };

    test('is raised by each client as its own error, with the id of the call', async () => {
      const found = await failures();
      for (const name of ['openai, chat', 'openai, responses']) {
        expect(found[name]).toBeInstanceOf(OPENAI_ERRORS[status] ?? OpenAI.APIError);
        expect(found[name]).toMatchObject({ status, code, requestID: expect.stringMatching(ID) });
      }
      expect(found['anthropic']).toBeInstanceOf(ANTHROPIC_ERRORS[anthropicStatus] ?? Anthropic.APIError);
      expect(found['anthropic']).toMatchObject({
        status: anthropicStatus,
        type: anthropicType,
        requestID: expect.stringMatching(ID),
      });
      expect(found['google']).toBeInstanceOf(ApiError);
      expect(found['google']).toMatchObject({ status, message: expect.stringContaining(googleStatus) });
      for (const name of ['ai, openai', 'ai, anthropic', 'ai, google']) {
        expect(APICallError.isInstance(found[name])).toBe(true);
        expect(found[name]).toMatchObject({
          statusCode: name === 'ai, anthropic' ? anthropicStatus : status,
          isRetryable: status === 429 || status >= 500,
        });
      }
    });
  },
);

describe('a client that may try again', () => {
  test('does, when the upstream asked it to wait, and is answered', async () => {
    for (const call of Object.values(callsOf(rig, 'm', 2))) {
      refusals = 1;
      expect(await failureOf(call)).toBeUndefined();
      expect(refusals).toBe(0);
    }
  });
});

describe('a client that stops in the middle', () => {
  test('stops the upstream, and nothing stays held', async () => {
    const openai = new OpenAI({ baseURL: `${rig.url}/v1`, apiKey: rig.key, maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: rig.url, apiKey: rig.key, maxRetries: 0 });
    const google = new GoogleGenAI({ apiKey: rig.key, httpOptions: { baseUrl: rig.url } });
    for await (const _ of await openai.chat.completions.create({ model: 'm', messages, stream: true })) break;
    for await (const { type } of await openai.responses.create({ model: 'm', input: 'x', stream: true }))
      if (type === 'response.output_text.delta') break;
    const told = anthropic.messages.stream({ model: 'm', max_tokens: 999, messages });
    told.on('text', () => told.abort());
    await expect(told.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    const leaving = new AbortController();
    const config = { abortSignal: leaving.signal };
    const listen = async () => {
      const chunks = await google.models.generateContentStream({ model: 'm', contents: 'x', config });
      for await (const _ of chunks) leaving.abort();
    };
    await expect(listen()).rejects.toMatchObject({ name: 'AbortError' });
    const gone = new AbortController();
    const { textStream } = streamText({
      model: createOpenAI({ baseURL: `${rig.url}/v1`, apiKey: rig.key }).chat('m'),
      prompt: 'x',
      maxRetries: 0,
      abortSignal: gone.signal,
    });
    for await (const _ of textStream) gone.abort();
    await expect.poll(() => left).toBe(5);
    await expect.poll(() => rig.openHolds()).toBe(0);
  });
});

describe('what the makers offer and this gateway does not', () => {
  test('is raised as not implemented, in each format', async () => {
    const openai = new OpenAI({ baseURL: `${rig.url}/v1`, apiKey: rig.key, maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: rig.url, apiKey: rig.key, maxRetries: 0 });
    const google = new GoogleGenAI({ apiKey: rig.key, httpOptions: { baseUrl: rig.url } });
    const asked: (() => PromiseLike<unknown>)[] = [
      () => openai.files.list(),
      () => openai.batches.list(),
      () => openai.vectorStores.list(),
      () => openai.fineTuning.jobs.list(),
      () => anthropic.messages.batches.list(),
      () => anthropic.beta.files.list(),
      () => google.caches.list(),
      () => google.files.list(),
    ];
    for (const call of asked) expect(await failureOf(call)).toMatchObject({ status: 501 });
    expect(await failureOf(() => anthropic.beta.files.list())).toMatchObject({
      error: { type: 'error', error: { message: 'API not implemented' } },
    });
  });
});
