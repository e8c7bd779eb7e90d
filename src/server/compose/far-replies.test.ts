import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { asAppError, type AppError } from '#core/error.ts';
import type { RelayOperation } from '#core/operation.ts';
import { Secret } from '#core/secrets/secret.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import type { ReplyOptions } from '#core/words/check-reply.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import type { Dialect, Wire } from '../dialects/dialect.ts';
import { plainWires } from '../dialects/plain-wires.ts';
import { anthropicReply } from '../dialects/testing/anthropic-replies.ts';
import { reply as chatReply } from '../dialects/testing/chat-replies.ts';
import { responsesReply } from '../dialects/testing/responses-replies.ts';
import { providerOf } from '../providers/registry.ts';
import { parseReply, type ParsedReply } from '../relay/answer/answer.ts';
import { callersReply } from '../relay/answer/whole-reply.ts';
import { type FarHeard, farReading } from '../relay/far/far-whole.ts';
import { withFailuresAsErrors } from '../relay/request/format.ts';
import { idsOf } from '../relay/kept/kept-reply.ts';
import { convertWhole } from '../relay/answer/rewrite.ts';
import { createFarThreads } from './far-threads.ts';

const SECRET = 'sk-secret-0123456789';
const threads = createFarThreads();
afterAll(() => threads.close());

/** An operation on a channel of this type, in this format. */
interface Heard {
  readonly operation: RelayOperation;
  readonly wire: Dialect | Wire;
  readonly format: Dialect | Wire;
  readonly type: number;
  readonly told: Readonly<Record<string, unknown>>;
}

const [OPENAI, ANTHROPIC, GEMINI, NVIDIA] = [1, 14, 24, 104] as const;

const WORDS = {
  CheckSensitiveEnabled: true,
  CheckSensitiveOnCompletionEnabled: true,
  StopOnSensitiveEnabled: false,
  SensitiveWords: 'swordfish\ntuna',
};

const sentOf = (
  { operation, wire, format, told, type }: Heard,
  options: ReplyOptions = { ...WORDS, CheckSensitiveEnabled: false },
): FarHeard => ({
  call: { operation, dialect: 'writeRequest' in wire ? wire.name : 'openai-chat', requestId: 'r1' },
  live: { background: undefined },
  wire,
  format,
  channel: channelOf(type, { id: 7, baseUrl: 'https://u.example', key: new Secret(SECRET) }),
  upstreamModel: 'm',
  createdAtMs: 5000,
  secrets: new Secrets([SECRET], ['u.example']),
  translations: {
    chatRequest:
      format === wire ? undefined : { model: 'm', stream: false, messages: [], extras: {}, stop: ['END'] },
  },
  request: { facts: { model: 'm', inputTokensEstimate: 12 }, fields: told },
  routing: { options },
});

const plain = (error: AppError | undefined) =>
  error === undefined
    ? undefined
    : [error.code, error.message, error.param, error.reason, error.retryAfterSeconds, error.upstream];

/** What the caller gets, what is charged, what is kept, or which error was thrown. */
const outcome = async (heard: Heard, hear: () => Promise<ParsedReply | undefined> | ParsedReply) => {
  const sent = sentOf(heard);
  try {
    const whole = await hear();
    if (whole === undefined) throw new Error('no thread heard it');
    const { output } = whole.body as { readonly output?: unknown };
    const seen = {
      meter: whole.meter,
      ids: idsOf(output),
      used: heard.wire.usageWithoutReport?.(heard.told, whole.body),
    };
    try {
      return { ...seen, given: (convertWhole(sent, whole) ?? whole.bytes).toString('latin1') };
    } catch (thrown) {
      return { ...seen, refused: plain(asAppError(thrown)) };
    }
  } catch (thrown) {
    return { failed: plain(asAppError(thrown)) };
  }
};

/** The outcome of a reply read on this thread, and of the same reply read in another. */
const outcomes = async (heard: Heard, bytes: Buffer): Promise<{ near: unknown; far: unknown }> => {
  const sent = sentOf(heard);
  const upstream = providerOf(heard.type);
  if (upstream === undefined) throw new Error(`no provider of type ${heard.type}`);
  const { operation, told } = heard;
  const asCaller = callersReply(upstream, { operation, model: 'm', stream: false }, told);
  const heardAs = heard.format.name === heard.wire.name ? heard.format : withFailuresAsErrors(heard.format);
  const middle = Math.floor(bytes.length / 2);
  const pieces = [bytes.subarray(0, middle), bytes.subarray(middle)];
  const hear = farReading(threads, sent, { isForCaller: asCaller !== undefined });
  return {
    near: await outcome(heard, () =>
      parseReply(Buffer.from(bytes), heardAs, sent.secrets, asCaller && { asCaller }),
    ),
    far: await outcome(heard, async () => hear?.(pieces)),
  };
};

const written = (dialect: Dialect, events: readonly ChatEvent[]): Buffer => {
  try {
    return Buffer.from(JSON.stringify(dialect.writeWhole(events)));
  } catch {
    return Buffer.from('{}');
  }
};

/** Replies unchanged, with a key in them, cut off, as a page, as a stream, or as an error. */
const spoiled = (reply: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 6, arbitrary: reply },
    { weight: 1, arbitrary: reply.map((bytes) => bytes.subarray(0, bytes.length - 2)) },
    {
      weight: 1,
      arbitrary: reply.map((bytes) => Buffer.from(bytes.toString().replace('"m"', `"${SECRET}"`))),
    },
    { weight: 1, arbitrary: reply.map((bytes) => Buffer.concat([Buffer.from('\uFEFF'), bytes])) },
    {
      weight: 1,
      arbitrary: reply.map((bytes) => Buffer.from(`data: ${bytes.toString()}\n\ndata: [DONE]\n\n`)),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          message: fc.constantFrom('no', `bad key ${SECRET}`, 'see https://u.example/x'),
          type: fc.constantFrom('server_error', 'invalid_request_error', 'rate_limit_error'),
          code: fc.constantFrom('x', null, 429),
          param: fc.constantFrom('messages', null),
        })
        .map((error) => Buffer.from(JSON.stringify({ error }))),
    },
    { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );

const { gemini } = chatDialects;
const upstreams = [
  [OPENAI, chatDialects['openai-chat'], chatReply],
  [ANTHROPIC, chatDialects['anthropic-messages'], anthropicReply],
  [GEMINI, gemini, fc.oneof(chatReply, anthropicReply)],
] as const;
const chats: readonly (readonly [string, Heard, fc.Arbitrary<ChatEvent[]>, Dialect])[] = [
  ...upstreams.flatMap(([type, format, reply]) =>
    Object.values(chatDialects).map((wire): readonly [string, Heard, fc.Arbitrary<ChatEvent[]>, Dialect] => [
      `${format.name} to ${wire.name}`,
      { operation: 'chat', wire, format, type, told: {} },
      reply,
      format,
    ]),
  ),
  [
    'openai-responses to itself',
    {
      operation: 'chat',
      wire: chatDialects['openai-responses'],
      format: chatDialects['openai-responses'],
      type: OPENAI,
      told: {},
    },
    responsesReply,
    chatDialects['openai-responses'],
  ],
];

test.each(chats)(
  'a reply heard in another thread is the reply heard here: %s',
  async (_, heard, reply, dialect) => {
    await fc.assert(
      fc.asyncProperty(spoiled(reply.map((events) => written(dialect, events))), async (bytes) => {
        const { near, far } = await outcomes(heard, bytes);
        expect(far).toEqual(near);
      }),
      { numRuns: 60 },
    );
  },
);

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const usage = fc.option(
  fc.record({ prompt_tokens: fc.nat(1000), total_tokens: fc.nat(2000), input_tokens: fc.nat(1000) }),
  { nil: undefined },
);
const listed = <Item>(name: string, item: fc.Arbitrary<Item>): fc.Arbitrary<Buffer> =>
  fc
    .record({ items: fc.array(item, { maxLength: 5 }), usage, id: fc.string() })
    .map(({ items, ...rest }) => Buffer.from(JSON.stringify({ ...rest, [name]: items, model: 'm' })));

const plainReplies: readonly (readonly [
  keyof typeof plainWires,
  number,
  Heard['told'],
  fc.Arbitrary<Buffer>,
])[] = [
  [
    'embeddings',
    OPENAI,
    { model: 'm', input: 'x' },
    listed('data', fc.record({ index: fc.nat(5), embedding: fc.array(number) })),
  ],
  [
    'images',
    OPENAI,
    { model: 'm', prompt: 'a cat', n: 2 },
    listed('data', fc.record({ b64_json: fc.base64String() })),
  ],
  [
    'moderations',
    OPENAI,
    { model: 'm', input: 'x' },
    listed(
      'results',
      fc.record({ flagged: fc.boolean(), category_scores: fc.dictionary(fc.string(), number) }),
    ),
  ],
  [
    'rerank',
    OPENAI,
    { model: 'm', query: 'q', documents: ['a', 'b'] },
    listed('results', fc.record({ index: fc.nat(1), relevance_score: number })),
  ],
  [
    'rerank',
    NVIDIA,
    { model: 'm', query: 'q', documents: ['a', 'b'], return_documents: true },
    listed('rankings', fc.record({ index: fc.nat(1), logit: number })),
  ],
  [
    'completions',
    OPENAI,
    { model: 'm', prompt: 'x' },
    listed('choices', fc.record({ text: fc.string(), index: fc.nat(1), finish_reason: fc.constant('stop') })),
  ],
];

test.each(plainReplies)(
  'a reply heard in another thread is the reply heard here: %s',
  async (operation, type, told, reply) => {
    const wire = plainWires[operation];
    await fc.assert(
      fc.asyncProperty(spoiled(reply), async (bytes) => {
        const { near, far } = await outcomes({ operation, wire, format: wire, type, told }, bytes);
        expect(far).toEqual(near);
      }),
      { numRuns: 60 },
    );
  },
);

test('listed words of a reply heard in another thread are found', async () => {
  const wire = chatDialects['openai-chat'];
  const sent = sentOf({ operation: 'chat', wire, format: wire, type: OPENAI, told: {} }, WORDS);
  const hear = farReading(threads, sent, {});
  const said = (content: string): Buffer[] => [
    Buffer.from(JSON.stringify({ id: 'c', choices: [{ message: { role: 'assistant', content } }] })),
  ];
  expect((await hear?.(said('a tuna')))?.far?.word).toBe('tuna');
  expect((await hear?.(said('a cat')))?.far?.word).toBeUndefined();
});

test('a thread that dies loses no reply: another one reads it, and if that dies as well the call fails at once', async () => {
  const wire = chatDialects['openai-chat'];
  const sent = sentOf({ operation: 'chat', wire, format: wire, type: OPENAI, told: {} });
  const bytes = Buffer.from(JSON.stringify({ id: 'c', choices: [{ message: { content: 'hello' } }] }));
  const own = createFarThreads();
  let lives = 0;
  const kill = (worker: Worker): void => {
    lives -= 1;
    if (lives < 0) void worker.terminate();
  };
  process.on('worker', kill);
  try {
    const hear = farReading(own, sent, {});
    expect(await hear?.([bytes])).toBeUndefined();
    lives = 1;
    const [first, second] = await Promise.all([hear?.([bytes]), hear?.([bytes])]);
    for (const heard of [first, second]) expect(heard?.bytes.toString()).toBe(bytes.toString());
    await own.close();
    expect(await hear?.([bytes])).toBeUndefined();
  } finally {
    process.off('worker', kill);
  }
});
