import { describe, expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { Operation } from '#core/operation.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { Egress } from '../dialects/dialect.ts';
import { providers } from './registry.ts';
import { writtenAt } from './testing/asked-of.ts';

/** What changes the answer and its cost reaches every kind of upstream, or is refused by the name of its field. */

/** A key that signs at Tencent; models that choose a format. */
const KEY = new Secret('1|id|secret');
const MODELS = ['m', 'claude-x', 'mistral-x', 'llama-x', 'amazon.nova-pro-v1:0', 'bot-x'];

const formats = new Map<Egress, string>();
for (const { types, dialect, dialectFor, natives = [] } of providers)
  for (const type of types)
    for (const model of MODELS) {
      const own = dialectFor?.(model, channelOf(type, { key: KEY })) ?? dialect;
      for (const format of [own, ...natives]) formats.set(format, `${format.name} of type ${type}`);
    }
const named = [...formats].map(([format, name]) => ({ name, format }));

const asking = (changes: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  extras: {},
  ...changes,
});

const orRefused = (write: () => unknown): string => {
  try {
    return JSON.stringify(write());
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_request') return `refused: ${thrown.param}`;
    throw thrown;
  }
};

const writtenOrRefused = (format: Egress, request: ChatRequest): string =>
  orRefused(() => format.writeRequest(request));

describe.each(named)('$name', ({ format }) => {
  test('is asked for several answers, or refuses', () => {
    expect(writtenOrRefused(format, asking({ choices: 3 }))).toMatch(/"(?:n|candidateCount)":3|^refused: n$/);
  });

  test('is asked for pictures, or refuses', () => {
    expect(writtenOrRefused(format, asking({ imagesAskedBy: 'modalities' }))).toMatch(
      /odalities":\["(?:image|TEXT)"|^refused: modalities$/,
    );
  });

  test('is told the length of the answer, whatever its caller called it, and however it was lowered', () => {
    const extras = { 'openai-chat': { max_completion_tokens: 900 } };
    // Nobody can tell these how long an answer may be.
    const isUntold = /^(?:tencent|coze|dify|aiproxy-library)$/.test(format.name);
    expect(writtenOrRefused(format, asking({ maxOutputTokens: 77, extras }))).toMatch(
      isUntold ? /^(?!.*900)/ : /^(?!.*900).*:77\b/,
    );
  });
});

const file = { name: 'image', filename: 'a.png', mediaType: 'image/png', bytes: Buffer.from('x') };
/** Calls that a kind writes anew. */
const rewritten = providers.flatMap(({ types, offers }) =>
  Object.entries(offers).flatMap(([operation, { write }]) =>
    types.map((type) => ({ type, operation: operation as Operation, write })),
  ),
);
const writes = (...operations: readonly Operation[]) =>
  rewritten.filter(({ operation, write }) => write !== undefined && operations.includes(operation));
type Rewritten = (typeof rewritten)[number];
const writtenBy = ({ type, operation }: Rewritten, body: Fields): string =>
  orRefused(() => {
    const call = { operation, model: String(body['model']), stream: body['stream'] === true } as const;
    return writtenAt(channelOf(type), { prompt: 'a cat', $files: [file], ...body }, call);
  });
const pictureModel = (type: number): string => (type === 35 ? 'image-01' : 'm');

test.each(writes('images', 'image-edits', 'speech', 'transcriptions'))(
  'type $type is asked to stream $operation, or refuses',
  (kind) => {
    const model = kind.operation === 'transcriptions' && kind.type === 17 ? 'qwen3-asr-flash' : 'm';
    const body = {
      model: kind.operation.startsWith('image') ? pictureModel(kind.type) : model,
      stream: true,
    };
    expect(writtenBy(kind, body)).toMatch(/"stream":true|^refused: stream$/);
  },
);

test.each(writes('images', 'image-edits'))('type $type is told how many $operation to make', (kind) => {
  expect(writtenBy(kind, { model: pictureModel(kind.type), n: 3 })).toContain('"n":3');
});

test.each(writes('embeddings'))('type $type is told how long its $operation are to be', (kind) => {
  const model = kind.type === 33 ? 'amazon.titan-embed-text-v2:0' : 'm';
  expect(writtenBy(kind, { model, input: 'hi', dimensions: 77 })).toMatch(
    /"(?:dimensions|outputDimensionality)":77/,
  );
});

const modelFor = ({ type, operation }: Rewritten): string => {
  if (operation.startsWith('image')) return pictureModel(type);
  return operation === 'transcriptions' && type === 17 ? 'qwen3-asr-flash' : 'm';
};
/** Without what a kind may refuse. */
const plainBody = (kind: Rewritten): Fields => ({
  model: modelFor(kind),
  ...(kind.operation === 'transcriptions' && { prompt: '' }),
});
const SETTINGS: readonly (readonly [Operation, string, unknown, RegExp])[] = [
  ['images', 'quality', 'high', /"quality":"high"/],
  ['images', 'background', 'transparent', /"background":"transparent"/],
  ['images', 'output_format', 'webp', /"output_format":"webp"/],
  ['images', 'size', '1920x1080', /1920.{0,11}1080|16:9/],
  ['images', 'size', 'enormous', /enormous/],
  ['images', 'image', 'https://files.example/a.png', /files\.example/],
  ['image-edits', 'images', [{ image_url: 'https://files.example/a.png' }], /files\.example/],
  ['image-edits', 'mask', { image_url: 'https://files.example/m.png' }, /files\.example/],
  ['speech', 'instructions', 'Whisper.', /Whisper/],
  ['speech', 'speed', 2, /"speed":2/],
  ['transcriptions', 'prompt', 'Tollgate', /Tollgate/],
  ['transcriptions', 'include[]', 'logprobs', /"include\[\]":/],
  ['transcriptions', 'timestamp_granularities[]', 'segment', /"timestamp_granularities\[\]":|"words"/],
];
const settings = SETTINGS.flatMap(([operation, field, value, sent]) =>
  writes(operation).map((kind) => ({ kind, type: kind.type, operation, field, value, sent })),
);

test.each(settings)('type $type is told $field of $operation, or refuses', ({ kind, field, value, sent }) => {
  const refused = `^refused: ${field.replace('[]', '')}$`;
  expect(writtenBy(kind, { ...plainBody(kind), [field]: value })).toMatch(
    new RegExp(`${refused}|${sent.source}`),
  );
});

test.each(rewritten.filter(({ operation, write }) => operation !== 'chat' && write !== undefined))(
  'type $type is sent no field of $operation that is null',
  (kind) => {
    const isTitan = kind.operation === 'embeddings' && kind.type === 33;
    const plain = { ...plainBody(kind), ...(isTitan && { model: 'amazon.titan-embed-text-v2:0' }) };
    const nothing = { dimensions: null, top_n: null, language: null, size: null, user: null, speed: null };
    const body = { ...plain, input: 'hi', query: 'a', documents: ['b'], ...nothing };
    expect(writtenBy(kind, body)).not.toMatch(/null|refused/);
  },
);

test('what a form says in texts is numbers and truths in JSON, except words', () => {
  const [kind] = writes('image-edits').filter(({ type }) => type === 17);
  const asked = { model: 'm', seed: '7', watermark: 'false', negative_prompt: '2', size: '1024x768' };
  expect(kind && JSON.parse(writtenBy(kind, asked))).toMatchObject({
    parameters: { seed: 7, watermark: false, negative_prompt: '2', size: '1024*768' },
  });
});
