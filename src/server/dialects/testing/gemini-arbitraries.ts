import fc from 'fast-check';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { ChatRequest, ContentPart, Media, Message, Tool } from '#core/chat/request.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { geminiEnd } from './gemini-end.ts';

/** These generators cover what the Gemini format can express, and deliberately nothing else. */

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
const optional = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [key]: given }));
const all = <Value>(parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Value> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as Value);

const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const url = word.map((name) => `https://files.example/${name}`);
const inline = (...types: readonly string[]): fc.Arbitrary<Media> =>
  fc
    .tuple(base64, fc.constantFrom(...types))
    .map(([data, mediaType]) => ({ from: 'base64', data, mediaType }));
const linked = (...types: readonly string[]): fc.Arbitrary<Media> =>
  fc.tuple(url, fc.constantFrom(...types)).map(([at, mediaType]) => ({ from: 'url', url: at, mediaType }));

/** Signatures of its own, and signatures of another format that it carries. */
const sealed = (from: readonly ('gemini' | 'anthropic-messages')[]) =>
  fc.record({ signature: base64, signatureFrom: fc.constantFrom(...from) });
const own = sealed(['gemini']);

const object = fc.dictionary(word, fc.oneof(fc.integer(), word, fc.boolean()), { maxKeys: 3 });
const argumentsText = object.map((value) => JSON.stringify(value));

const textPart: fc.Arbitrary<ContentPart> = all([
  fc.record({ type: fc.constant('text'), text }),
  fc.oneof(fc.constant({}), fc.constant({ extras: { gemini: { thoughtSignature: 'c2ln' } } })),
]);
const mediaPart: fc.Arbitrary<ContentPart> = fc.oneof(
  fc.record({
    type: fc.constant('image' as const),
    media: fc.oneof(inline('image/png', 'image/webp'), linked('image/png')),
  }),
  fc.record({
    type: fc.constant('audio' as const),
    media: fc.oneof(inline('audio/wav', 'audio/mp3'), linked('audio/ogg')),
  }),
  all<ContentPart>([
    fc.record({ type: fc.constant('file'), media: fc.oneof(inline('application/pdf'), linked('video/mp4')) }),
    optional('name', word),
  ]),
);
const heldPart: fc.Arbitrary<ContentPart> = fc.constant({
  type: 'text',
  text: '',
  extras: { gemini: { type: 'part', part: { executableCode: { language: 'PYTHON', code: '1' } } } },
});

const thoughts: fc.Arbitrary<ContentPart[]> = fc.oneof(
  fc.constant<ContentPart[]>([]),
  text.map((said): ContentPart[] => [{ type: 'reasoning', text: said }]),
  fc.array(
    fc.tuple(text, own).map(([said, seal]): ContentPart => ({ type: 'reasoning', text: said, ...seal })),
    { minLength: 1, maxLength: 2 },
  ),
);

const isFailure = fc.oneof(fc.constant({}), fc.constant({ isError: true }));

/** A turn of the model with calls, followed by all of their results; ids are unique in the whole conversation. */
const calling = (turn: number): fc.Arbitrary<Message[]> =>
  fc
    .tuple(
      thoughts,
      fc.array(fc.tuple(word, argumentsText, fc.option(own, { nil: {} }), isFailure, text), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.array(mediaPart, { maxLength: 1 }),
    )
    .map(([thought, calls, media]): Message[] => [
      {
        role: 'assistant',
        content: [
          ...thought,
          ...calls.map(([name, args, seal], at): ContentPart => ({
            type: 'tool-call',
            id: `c${turn}_${at}`,
            name,
            argumentsText: args,
            ...seal,
          })),
        ],
      },
      {
        role: 'tool',
        content: calls.map(([name, , , failure, said], at): ContentPart => ({
          type: 'tool-result',
          callId: `c${turn}_${at}`,
          name,
          content: [{ type: 'text', text: said }, ...media],
          ...failure,
        })),
      },
    ]);

const spoken = (turn: number): fc.Arbitrary<Message[]> =>
  fc.oneof(
    fc
      .array(fc.oneof(textPart, mediaPart), { minLength: 1, maxLength: 3 })
      .map((content): Message[] => [{ role: 'user', content }]),
    fc
      .tuple(thoughts, fc.array(fc.oneof(textPart, heldPart), { minLength: 1, maxLength: 2 }))
      .map((parts): Message[] => [{ role: 'assistant', content: parts.flat() }]),
    calling(turn),
  );

const conversation: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.array(
      fc
        .array(textPart, { minLength: 1, maxLength: 2 })
        .map((content): Message => ({ role: 'system', content })),
      { maxLength: 1 },
    ),
    fc
      .integer({ min: 1, max: 4 })
      .chain((turns) => fc.tuple(...Array.from({ length: turns }, (_, turn) => spoken(turn)))),
  )
  .map(([system, turns]) => [...system, ...turns.flat()].filter(isTurn));

/** Consecutive messages of the model are one turn. */
const isTurn = ({ role }: Message, at: number, messages: readonly Message[]): boolean =>
  role !== 'assistant' || messages[at - 1]?.role !== 'assistant';

const tool: fc.Arbitrary<Tool> = all<Tool>([
  fc.record({ name: word }),
  optional('description', text),
  optional('parameters', fc.constant({ type: 'object', properties: { a: { type: 'string' } } })),
]);
const held = { type: 'tool', tool: { googleSearch: {} } };
const builtIn: Tool = { name: 'googleSearch', webSearch: {}, extras: { gemini: held } };

const knob = fc.double({ min: -2, max: 2, noNaN: true }).map((value) => value + 0);
const shown = { summary: 'auto' };

export const geminiRequest: fc.Arbitrary<ChatRequest> = all([
  fc.record({
    model: fc.constant('gemini-flash-lite-latest'),
    stream: fc.constant(false),
    messages: conversation,
    extras: fc.oneof(
      fc.constant({}),
      fc.constant({
        gemini: {
          safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
          labels: { team: 'a' },
          generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
        },
      }),
    ),
  }),
  optional(
    'tools',
    fc
      .tuple(fc.array(tool, { maxLength: 3 }), fc.boolean())
      .map(([tools, searches]) => (searches ? [...tools, builtIn] : tools)),
  ),
  optional('toolChoice', fc.oneof(fc.constantFrom('auto', 'none', 'required'), fc.record({ name: word }))),
  optional('maxOutputTokens', fc.integer({ min: 1, max: 10_000_000 })),
  optional('temperature', knob),
  optional('topP', knob),
  optional('presencePenalty', knob),
  optional('frequencyPenalty', knob),
  optional('topK', fc.nat(100)),
  optional('seed', fc.integer()),
  optional('choices', fc.integer({ min: 1, max: 8 })),
  optional('stop', fc.array(text, { maxLength: 4 })),
  optional(
    'responseFormat',
    fc.constantFrom(
      { type: 'text' },
      { type: 'json' },
      { type: 'json-schema', name: 'response', schema: { type: 'object' } },
    ),
  ),
  optional(
    'reasoning',
    fc.oneof(
      fc.constantFrom('minimal', 'low', 'medium', 'high').map((effort) => ({ effort, ...shown })),
      fc.integer({ min: 1, max: 100_000 }).map((budgetTokens) => ({ budgetTokens, ...shown })),
      fc.constantFrom({ enabled: false }, { enabled: true, ...shown }),
    ),
  ),
]);

const count = fc.nat(100_000);
const usage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: fc.integer({ min: 1, max: 1000 }),
    cacheReadTokens: count,
    imageInputTokens: count,
    audioInputTokens: count,
    outputTokens: count,
    reasoningTokens: count,
    audioOutputTokens: count,
    imageOutputTokens: count,
  })
  .map((counts) => ({
    ...noUsage,
    ...counts,
    audioCacheReadTokens: Math.floor(counts.cacheReadTokens / 2),
    imageCacheReadTokens: Math.floor(counts.cacheReadTokens / 100),
    reasoningTokens: Math.min(counts.reasoningTokens, counts.outputTokens),
  }));

/** One answer: the pieces of each kind stay together, calls last, as they do in a whole reply. */
const answer = (choice: number): fc.Arbitrary<ChatEvent[]> =>
  fc
    .tuple(
      fc.array(
        text.map((said): ChatEvent => ({ type: 'reasoning-delta', choice, text: said })),
        { maxLength: 3 },
      ),
      fc.array(
        fc.oneof(
          sealed(['gemini', 'anthropic-messages']).map((seal): ChatEvent => ({
            type: 'reasoning-end',
            choice,
            ...seal,
          })),
          base64.map((redacted): ChatEvent => ({
            type: 'reasoning-end',
            choice,
            redacted,
            signatureFrom: 'anthropic-messages',
          })),
        ),
        { maxLength: 2 },
      ),
      fc.array(
        text.map((said): ChatEvent => ({ type: 'text-delta', choice, text: said })),
        { maxLength: 4 },
      ),
      fc.array(
        fc.oneof(
          inline('image/png').map((media): ChatEvent => ({ type: 'image', choice, media })),
          base64.map((data): ChatEvent => ({
            type: 'audio-delta',
            choice,
            data,
            mediaType: 'audio/L16;rate=24000',
          })),
          fc.constant<ChatEvent>({
            type: 'opaque',
            choice,
            extras: { gemini: { type: 'part', part: { executableCode: { code: 'print(1)' } } } },
          }),
        ),
        { maxLength: 1 },
      ),
      fc.array(
        fc.tuple(word, argumentsText, fc.option(sealed(['gemini', 'anthropic-messages']), { nil: {} })),
        { maxLength: 3 },
      ),
      fc.constantFrom<FinishReason>('stop', 'length', 'content-filter', 'other'),
    )
    .map(([thoughts_, seals, said, made, calls, reason]) => [
      ...thoughts_,
      ...seals,
      ...said,
      ...made,
      ...calls.flatMap(([name, args, seal], index): ChatEvent[] => [
        { type: 'tool-call-start', choice, index, id: `${name}${index}`, name, ...seal },
        { type: 'tool-call-delta', choice, index, argumentsText: args },
      ]),
      { type: 'finish', choice, reason: geminiEnd(reason, calls.length > 0, said.length + made.length > 0) },
    ]);

/** Answers come whole or in pieces; as in this format, their finish and usage come last. */
export const geminiReply: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(
    fc.record({
      type: fc.constant('start' as const),
      id: word,
      model: word,
      createdAtMs: fc.integer({ min: 1, max: 4e9 }).map((seconds) => seconds * 1000),
    }),
    fc
      .integer({ min: 1, max: 3 })
      .chain((choices) => fc.tuple(...Array.from({ length: choices }, (_, at) => answer(at)))),
    fc.option(usage, { nil: undefined }),
  )
  .map(([start, answers, used]) => {
    const isEnd = ({ type }: ChatEvent): boolean => type === 'finish';
    return [
      start,
      ...answers.flat().filter((event) => !isEnd(event)),
      ...answers.flat().filter(isEnd),
      ...(used === undefined ? [] : [{ type: 'usage' as const, usage: used }]),
    ];
  });
