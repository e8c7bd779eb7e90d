import fc from 'fast-check';
import type { ChatRequest, ContentPart, Media, Message, Tool } from '#core/chat/request.ts';
import { freeTextTool } from '../openai/tools/free-text.ts';

/** These generators cover what the chat format can express, and deliberately nothing else. */

export const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
export const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
const optional = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [key]: given }));
const all = <Value>(parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Value> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as Value);

export const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
export const url = word.map((name) => `https://files.example/${name}`);
export const urlMedia: fc.Arbitrary<Media> = url.map((address) => ({ from: 'url', url: address }));
export const inline = (...types: readonly string[]): fc.Arbitrary<Media> =>
  fc
    .tuple(base64, fc.constantFrom(...types))
    .map(([data, mediaType]) => ({ from: 'base64', data, mediaType }));
const mark = { cache_control: { type: 'ephemeral' } };
const extras = fc.constant({ extras: { 'openai-chat': mark, 'anthropic-messages': mark } });

const textPart: fc.Arbitrary<ContentPart> = all([
  fc.record({ type: fc.constant('text'), text }),
  fc.oneof(fc.constant({}), extras),
]);
const userPart: fc.Arbitrary<ContentPart> = fc.oneof(
  textPart,
  all<ContentPart>([
    fc.record({ type: fc.constant('image'), media: fc.oneof(urlMedia, inline('image/png', 'image/jpeg')) }),
    optional('detail', fc.constantFrom('low', 'high', 'auto')),
  ]),
  fc.record({
    type: fc.constant('audio' as const),
    media: inline('audio/wav', 'audio/mpeg', 'audio/flac'),
  }),
  url.map((address): ContentPart => ({
    type: 'audio',
    media: { from: 'url', url: address },
    extras: { 'openai-chat': { audio_url: { url: address } } },
  })),
  fc.record({
    type: fc.constant('file' as const),
    media: inline('application/pdf'),
    name: word,
  }),
  // An address in place of bytes: upstreams of this format get it as the caller wrote it, others as an address.
  fc.tuple(url, word).map(([address, name]): ContentPart => ({
    type: 'file',
    media: { from: 'url', url: address },
    name,
    extras: { 'openai-chat': { file: { file_data: address, filename: name } } },
  })),
  all<ContentPart>([
    fc.record({
      type: fc.constant('file'),
      media: word.map((fileId): Media => ({ from: 'file-id', fileId })),
    }),
    optional('name', word),
  ]),
  fc.constant<ContentPart>({
    type: 'text',
    text: '',
    extras: { 'openai-chat': { type: 'hologram', hologram: { url: 'https://v.example' } } },
  }),
  fc.constant<ContentPart>({
    type: 'file',
    media: { from: 'url', url: 'https://v.example/a.webm', mediaType: 'video/webm' },
    extras: { 'openai-chat': { video_url: { url: 'https://v.example/a.webm' } } },
  }),
  fc.constant<ContentPart>({
    type: 'file',
    media: { from: 'base64', data: 'JVBE', mediaType: 'application/pdf' },
    name: 'a.pdf',
    extras: { 'openai-chat': { document_url: 'data:application/pdf;base64,JVBE', document_name: 'a.pdf' } },
  }),
  fc.constant<ContentPart>({
    type: 'audio',
    media: { from: 'base64', data: 'UklGRg==', mediaType: 'audio/wav' },
    extras: { 'openai-chat': { input_audio: 'UklGRg==' } },
  }),
);

const toolCall: fc.Arbitrary<ContentPart> = fc.oneof(
  all<ContentPart>([
    fc.record({ type: fc.constant('tool-call'), id: word, name: word, argumentsText: fc.json() }),
    optional('signature', word),
  ]),
  fc.tuple(word, fc.oneof(word, fc.constant('grep')), text).map(([id, name, input]): ContentPart => ({
    type: 'tool-call',
    id,
    name,
    argumentsText: JSON.stringify({ input }),
    isFreeText: true,
  })),
);
const reasoning: fc.Arbitrary<ContentPart[]> = fc.oneof(
  fc.constant<ContentPart[]>([]),
  text.map((said) => [{ type: 'reasoning' as const, text: said }]),
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('reasoning' as const), text, signature: word }),
      fc.record({ type: fc.constant('reasoning' as const), text: fc.constant(''), redacted: word }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
);

const spoken = (
  role: Message['role'],
  content: fc.Arbitrary<readonly ContentPart[]>,
): fc.Arbitrary<Message> =>
  all([
    fc.record({ role: fc.constant(role), content }),
    optional('name', word),
    fc.oneof(fc.constant({}), fc.constant({ extras: { 'openai-chat': { weight: 1 } } })),
  ]);

const message: fc.Arbitrary<Message> = fc.oneof(
  spoken('system', fc.array(textPart, { maxLength: 2 })),
  spoken('developer', fc.array(textPart, { maxLength: 2 })),
  spoken('user', fc.array(userPart, { maxLength: 4 })),
  spoken(
    'assistant',
    fc
      .tuple(
        reasoning,
        fc.array(textPart, { maxLength: 2 }),
        fc.array(
          text.map((said): ContentPart => ({ type: 'refusal', text: said })),
          { maxLength: 1 },
        ),
        fc.array(
          word.map((fileId): ContentPart => ({ type: 'audio', media: { from: 'file-id', fileId } })),
          { maxLength: 1 },
        ),
        fc.array(toolCall, { maxLength: 3 }),
      )
      .map((parts) => parts.flat()),
  ),
  fc.tuple(word, fc.array(textPart, { maxLength: 2 })).map(([callId, content]): Message => ({
    role: 'tool',
    content: [{ type: 'tool-result', callId, content }],
  })),
);

const tool: fc.Arbitrary<Tool> = fc.oneof(
  all<Tool>([
    fc.record({ name: word }),
    optional('description', text),
    optional('strict', fc.boolean()),
    optional('parameters', fc.constant({ type: 'object', properties: { a: { type: 'string' } } })),
  ]),
  fc.constant<Tool>(
    freeTextTool(
      'grep',
      'Searches',
      { syntax: 'lark', definition: 'start: WORD' },
      {
        'openai-chat': {
          type: 'custom',
          custom: {
            name: 'grep',
            description: 'Searches',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: WORD' } },
          },
        },
      },
    ),
  ),
);

/** Read together with the request for log probabilities. */
const tellable = {
  onlyIn: [
    {
      dialects: ['openai-chat', 'openai-responses', 'gemini'],
      param: 'logprobs',
      message: "'logprobs': this model does not tell how likely its words were",
    },
  ],
};

const knob = fc.double({ min: -2, max: 2, noNaN: true }).map((value) => value + 0);
const anyRequest: fc.Arbitrary<ChatRequest> = all([
  fc.record({
    model: word,
    stream: fc.boolean(),
    messages: fc.array(message, { minLength: 1, maxLength: 5 }),
    extras: fc.oneof(
      fc.constant({}),
      fc.constant({ 'openai-chat': { metadata: { a: 'b' }, provider: { order: ['a'] } } }),
    ),
  }),
  optional('tools', fc.array(tool, { maxLength: 3 })),
  optional('toolChoice', fc.oneof(fc.constantFrom('auto', 'none', 'required'), fc.record({ name: word }))),
  optional('parallelToolCalls', fc.boolean()),
  optional('maxOutputTokens', fc.integer({ min: 0, max: 10_000_000 })),
  optional('temperature', knob),
  optional('topP', knob),
  optional('presencePenalty', knob),
  optional('frequencyPenalty', knob),
  optional('topK', fc.nat(100)),
  optional('seed', fc.integer()),
  optional('choices', fc.integer({ min: 1, max: 128 })),
  optional('stop', fc.array(text, { maxLength: 4 })),
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
    fc.record({ effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max') }),
  ),
  optional('logprobs', fc.oneof(fc.constant({}), fc.record({ top: fc.integer({ min: 1, max: 20 }) }))).map(
    (asked) => ('logprobs' in asked ? { ...asked, ...tellable } : asked),
  ),
  optional('endUser', word),
]);

/** A call counts as a free-text call only if its tool is declared as such; otherwise it is a function call. */
const asFunction = (part: ContentPart, declared: ReadonlySet<string>): ContentPart => {
  if (part.type !== 'tool-call' || part.isFreeText !== true || declared.has(part.name)) return part;
  const { isFreeText: _, ...call } = part;
  return call;
};

/** Calls count as free-text calls only if their tool is declared as such; otherwise they are function calls. */
export const request: fc.Arbitrary<ChatRequest> = anyRequest.map((asked) => {
  const declared = new Set(
    asked.tools?.filter(({ freeText }) => freeText !== undefined).map(({ name }) => name),
  );
  const messages = asked.messages.map((one) => ({
    ...one,
    content: one.content.map((part) => asFunction(part, declared)),
  }));
  return { ...asked, messages };
});
