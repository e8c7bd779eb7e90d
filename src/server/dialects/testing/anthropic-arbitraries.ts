import fc from 'fast-check';
import type { ChatRequest, ContentPart, Media, Message, Reasoning, Tool } from '#core/chat/request.ts';

/** These generators cover what the Messages format can express, and deliberately nothing else. */

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
const optional = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [key]: given }));
const all = <Value>(parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Value> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as Value);

const url = word.map((name) => `https://files.example/${name}`);
const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const inline = (...types: readonly string[]): fc.Arbitrary<Media> =>
  fc
    .tuple(base64, fc.constantFrom(...types))
    .map(([data, mediaType]) => ({ from: 'base64', data, mediaType }));
const elsewhere: fc.Arbitrary<Media> = fc.oneof(
  url.map((address): Media => ({ from: 'url', url: address })),
  word.map((fileId): Media => ({ from: 'file-id', fileId })),
);
const plainText: fc.Arbitrary<Media> = text
  .filter((said) => said.isWellFormed())
  .map((said) => ({
    from: 'base64',
    data: Buffer.from(said).toString('base64'),
    mediaType: 'text/plain',
  }));
const cached = fc.oneof(
  fc.constant({}),
  fc.constant({
    extras: { 'anthropic-messages': { cache_control: { type: 'ephemeral', ttl: '1h' } } },
  }),
);

const textPart: fc.Arbitrary<ContentPart> = all([fc.record({ type: fc.constant('text'), text }), cached]);
const heldPart: fc.Arbitrary<ContentPart> = fc.constant({
  type: 'text',
  text: '',
  extras: {
    'anthropic-messages': { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
  },
});
const imagePart: fc.Arbitrary<ContentPart> = all([
  fc.record({
    type: fc.constant('image'),
    media: fc.oneof(elsewhere, inline('image/png', 'image/webp')),
  }),
  cached,
]);
const filePart: fc.Arbitrary<ContentPart> = all([
  fc.record({
    type: fc.constant('file'),
    media: fc.oneof(elsewhere, inline('application/pdf'), plainText),
  }),
  optional('name', word),
  fc.oneof(cached, fc.constant({ extras: { 'anthropic-messages': { citations: { enabled: true } } } })),
]);
const resultPart: fc.Arbitrary<ContentPart> = all([
  fc.record({
    type: fc.constant('tool-result'),
    callId: word,
    content: fc.array(fc.oneof(textPart, imagePart), { maxLength: 2 }),
  }),
  optional('isError', fc.boolean()),
  cached,
]);
const object = fc
  .dictionary(word, fc.oneof(fc.integer(), text, fc.boolean()), { maxKeys: 3 })
  .map((value) => JSON.stringify(value));
const callPart: fc.Arbitrary<ContentPart> = all([
  fc.record({ type: fc.constant('tool-call'), id: word, name: word, argumentsText: object }),
  fc.oneof(cached, fc.constant({ extras: { 'anthropic-messages': { caller: { type: 'direct' } } } })),
]);
const own = fc.constant('anthropic-messages' as const);
const thoughtPart: fc.Arbitrary<ContentPart> = fc.oneof(
  fc.record({
    type: fc.constant('reasoning' as const),
    text: fc.string(),
    signature: base64,
    signatureFrom: own,
  }),
  fc.record({ type: fc.constant('reasoning' as const), text, signatureFrom: own }),
  fc.record({
    type: fc.constant('reasoning' as const),
    text: fc.constant(''),
    redacted: base64,
    signatureFrom: own,
  }),
);

const spoken = (
  role: Message['role'],
  parts: readonly [fc.Arbitrary<ContentPart>, ...fc.Arbitrary<ContentPart>[]],
): fc.Arbitrary<Message> =>
  fc.record({
    role: fc.constant(role),
    content: fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 4 }),
  });

const messages: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.option(spoken('system', [textPart]), { nil: undefined }),
    fc.array(
      fc.oneof(
        spoken('user', [textPart, imagePart, filePart, resultPart]),
        spoken('assistant', [thoughtPart, textPart, heldPart, callPart]),
      ),
      { minLength: 1, maxLength: 5 },
    ),
    // A final answer without calls: while tools run, other rules apply to thinking.
    fc.option(spoken('assistant', [textPart]), { nil: undefined }),
  )
  .map(([system, said, last]) => [
    ...(system === undefined ? [] : [system]),
    ...said,
    ...(last === undefined
      ? [{ role: 'assistant' as const, content: [{ type: 'text' as const, text: 'a' }] }]
      : [last]),
  ]);

const schema = {
  type: 'object',
  properties: { a: { type: 'string', description: 'd' } },
  required: ['a'],
  additionalProperties: false,
};
const tool: fc.Arbitrary<Tool> = fc.oneof(
  all<Tool>([
    fc.record({ name: word, parameters: fc.constant(schema) }),
    optional('description', text),
    optional('strict', fc.boolean()),
    cached,
  ]),
  fc.constant<Tool>({
    name: 'web_search',
    webSearch: { mostSearches: 3 },
    extras: { 'anthropic-messages': { type: 'web_search_20250305', name: 'web_search', max_uses: 3 } },
  }),
);
const withTools = fc.oneof(
  fc.constant<object>({}),
  all<object>([
    fc.record({ tools: fc.array(tool, { minLength: 1, maxLength: 3 }) }),
    fc.oneof(
      fc.constant<object>({}),
      all<object>([
        fc.record({ toolChoice: fc.constant('auto') }),
        optional('parallelToolCalls', fc.boolean()),
      ]),
      fc.constant({ toolChoice: 'none' }),
    ),
  ]),
);
/** A forced tool call excludes thinking. */
const withForcedTool = all<object>([
  fc.record({
    tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
    toolChoice: fc.oneof(fc.constant('required'), fc.record({ name: word })),
  }),
  optional('parallelToolCalls', fc.boolean()),
]);

const efforts = fc.constantFrom<NonNullable<Reasoning['effort']>>('low', 'medium', 'high', 'xhigh', 'max');
const limit = fc.integer({ min: 20_000, max: 10_000_000 });
/** A thinking model accepts no sampling options. */
const thinking = fc.oneof(
  all<object>([
    fc.record({
      reasoning: all([
        fc.record({ enabled: fc.constant(true), budgetTokens: fc.integer({ min: 1024, max: 19_999 }) }),
        optional('effort', efforts),
        optional('summary', fc.constant('auto')),
      ]),
    }),
    optional('maxOutputTokens', limit),
  ]),
  fc.record({
    reasoning: all([
      fc.record({ enabled: fc.constant(true) }),
      optional('effort', efforts),
      optional('summary', fc.constant('auto')),
    ]),
  }),
);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const knobs = all<object>([
  optional('temperature', share),
  optional('topP', share),
  optional('topK', fc.nat(500)),
  optional('maxOutputTokens', fc.integer({ min: 1, max: 10_000_000 })),
  optional('reasoning', fc.constant({ enabled: false })),
]);

/** Requests of the Messages format. */
export const anthropicRequest: fc.Arbitrary<ChatRequest> = all([
  fc.record({
    model: word,
    stream: fc.boolean(),
    messages,
    extras: fc.oneof(
      fc.constant({}),
      fc.constant({ 'anthropic-messages': { service_tier: 'standard_only', container: 'c' } }),
    ),
  }),
  fc.oneof(
    fc.tuple(thinking, withTools).map(([first, second]) => ({ ...first, ...second })),
    fc.tuple(knobs, fc.oneof(withTools, withForcedTool)).map(([first, second]) => ({ ...first, ...second })),
  ),
  optional('stop', fc.array(text, { maxLength: 4 })),
  optional('responseFormat', fc.constant({ type: 'json-schema', name: 'output', schema, strict: true })),
  optional('endUser', word),
]);
