import fc from 'fast-check';
import type { ChatRequest, ContentPart, Media, Message, Tool } from '#core/chat/request.ts';

/** These generators cover what the Responses format can express, and deliberately nothing else. */

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
const optional = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [key]: given }));
const all = <Value>(parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Value> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as Value);
const own = (fields: Readonly<Record<string, unknown>>) => ({ extras: { 'openai-responses': fields } });

const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const urlMedia: fc.Arbitrary<Media> = word.map((name) => ({
  from: 'url',
  url: `https://files.example/${name}`,
}));
const fileMedia: fc.Arbitrary<Media> = word.map((fileId) => ({ from: 'file-id', fileId }));
const inline = (...types: readonly string[]): fc.Arbitrary<Media> =>
  fc
    .tuple(base64, fc.constantFrom(...types))
    .map(([data, mediaType]) => ({ from: 'base64', data, mediaType }));

const textPart: fc.Arbitrary<ContentPart> = text.map((said) => ({ type: 'text', text: said }));
const image: fc.Arbitrary<ContentPart> = all([
  fc.record({ type: fc.constant('image'), media: fc.oneof(urlMedia, fileMedia, inline('image/png')) }),
  optional('detail', fc.constantFrom('low', 'high', 'auto')),
]);
const file: fc.Arbitrary<ContentPart> = all([
  fc.record({
    type: fc.constant('file'),
    media: fc.oneof(urlMedia, fileMedia, inline('application/pdf', 'text/plain')),
    name: word,
  }),
]);
const audio: fc.Arbitrary<ContentPart> = fc.record({
  type: fc.constant('audio' as const),
  media: inline('audio/wav', 'audio/mpeg'),
});
const heldPart: fc.Arbitrary<ContentPart> = fc.constant({
  type: 'text',
  text: '',
  ...own({ type: 'input_video', video_url: 'https://v.example' }),
});
const userPart = fc.oneof(textPart, image, file, audio, heldPart);

const itemExtras = fc.oneof(
  fc.constant({}),
  word.map((id) => own({ type: 'message', id, status: 'completed' })),
);

const thought: fc.Arbitrary<ContentPart[]> = fc
  .tuple(word, fc.array(text, { maxLength: 2 }), fc.option(base64, { nil: undefined }))
  .map(([id, summaries, sealed]) => [
    {
      type: 'reasoning',
      text: summaries.join('\n\n'),
      ...(sealed !== undefined && { signature: sealed, signatureFrom: 'openai-responses' }),
      ...own({ id, summary: summaries.map((said) => ({ type: 'summary_text', text: said })) }),
    },
  ]);

/** One message item. If it has an id or follows another item, its first part is marked. */
const said: fc.Arbitrary<ContentPart[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        textPart,
        text.map((refused): ContentPart => ({ type: 'refusal', text: refused })),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.option(word, { nil: undefined }),
  )
  .map(([[first, ...rest], id]) => [
    { ...(first as ContentPart), ...own({ item: id === undefined ? {} : { id, status: 'completed' } }) },
    ...rest,
  ]);

const call: fc.Arbitrary<ContentPart[]> = fc.oneof(
  all<ContentPart>([
    fc.record({ type: fc.constant('tool-call'), id: word, name: word, argumentsText: fc.json() }),
    fc.oneof(
      fc.constant({}),
      word.map((id) => own({ id, status: 'completed' })),
    ),
  ]).map((part) => [part]),
  fc.tuple(word, word, text).map(([id, name, input]): ContentPart[] => [
    {
      type: 'tool-call',
      // No function result may have this id, because the call it answers decides how a result is written.
      id: `free_${id}`,
      name,
      argumentsText: JSON.stringify({ input }),
      isFreeText: true,
      ...own({ status: 'completed' }),
    },
  ]),
);

const search: fc.Arbitrary<ContentPart[]> = word.map((id) => [
  { type: 'text', text: '', ...own({ item: { type: 'web_search_call', id, status: 'completed' } }) },
]);

/** Consecutive items of the assistant are one message; an item without a mark cannot follow one of the same kind. */
const assistant: fc.Arbitrary<Message> = fc
  .array(fc.oneof(thought, said, call, search), { minLength: 1, maxLength: 4 })
  .map((items) => ({ role: 'assistant', content: items.flat().map(onlyNeededMark) }));

/** A message item without fields of its own is marked only if it would otherwise merge with the one before. */
const onlyNeededMark = (part: ContentPart, at: number, parts: readonly ContentPart[]): ContentPart => {
  const mark = part.extras?.['openai-responses']?.['item'];
  const before = parts[at - 1]?.type;
  const isNeeded = before === 'text' || before === 'refusal' || JSON.stringify(mark) !== '{}';
  if (isNeeded) return part;
  const { extras: _, ...bare } = part;
  return bare;
};

const userMessage: fc.Arbitrary<Message> = all([
  fc.record({
    role: fc.constantFrom('user' as const, 'developer' as const),
    content: fc.array(userPart, { maxLength: 3 }),
  }),
  itemExtras,
]);

const result: fc.Arbitrary<Message> = fc
  .tuple(word, fc.array(fc.oneof(textPart, image, file), { maxLength: 3 }), fc.boolean())
  .map(([callId, content, isCustom]) => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        callId,
        content,
        ...(isCustom ? own({ type: 'custom_tool_call_output' }) : {}),
      },
    ],
  }));

const turn = fc
  .tuple(userMessage, fc.option(assistant, { nil: undefined }), fc.array(result, { maxLength: 2 }))
  .map(([asked, answered, results]) => [asked, ...(answered === undefined ? [] : [answered]), ...results]);

const messages: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.option(textPart, { nil: undefined }),
    fc.option(fc.array(textPart, { minLength: 2, maxLength: 2 }), { nil: undefined }),
    fc.array(turn, { minLength: 1, maxLength: 3 }),
  )
  .map(([instructions, system, turns]) => [
    ...(instructions === undefined ? [] : [{ role: 'system' as const, content: [instructions] }]),
    // The first item is marked as an item, so that it is not read as the instructions.
    ...(system === undefined
      ? []
      : [{ role: 'system' as const, content: system, ...own({ type: 'message' }) }]),
    ...turns.flat(),
  ]);

const tool: fc.Arbitrary<Tool> = all<Tool>([
  fc.record({ name: word }),
  optional('description', text),
  optional('strict', fc.boolean()),
  optional('parameters', fc.constant({ type: 'object', properties: { a: { type: 'string' } } })),
]);

const knob = fc.double({ min: -2, max: 2, noNaN: true }).map((value) => value + 0);

export const responsesRequest: fc.Arbitrary<ChatRequest> = all([
  fc.record({
    model: word,
    stream: fc.boolean(),
    messages,
    extras: fc
      .constantFrom(
        {},
        { store: false, include: ['reasoning.encrypted_content'], metadata: { a: 'b' } },
        { text: { verbosity: 'low' }, truncation: 'auto', prompt_cache_key: 'k' },
      )
      .map((fields) => ({ 'openai-responses': fields })),
  }),
  optional('tools', fc.array(tool, { maxLength: 3 })),
  optional('toolChoice', fc.oneof(fc.constantFrom('auto', 'none', 'required'), fc.record({ name: word }))),
  optional('parallelToolCalls', fc.boolean()),
  optional('maxOutputTokens', fc.integer({ min: 1, max: 10_000_000 })),
  optional('temperature', knob),
  optional('topP', knob),
  optional(
    'responseFormat',
    fc.oneof(
      fc.constantFrom({ type: 'text' }, { type: 'json' }),
      all([
        fc.record({ type: fc.constant('json-schema'), name: word, schema: fc.constant({ type: 'object' }) }),
        optional('description', text),
        optional('strict', fc.boolean()),
      ]),
    ),
  ),
  optional(
    'reasoning',
    all([
      fc.record({ effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max') }),
      optional('summary', fc.constantFrom('auto', 'detailed')),
    ]),
  ),
  optional('endUser', word),
]);
