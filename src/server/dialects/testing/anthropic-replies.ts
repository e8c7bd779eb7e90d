import fc from 'fast-check';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { withStatements } from './statements.ts';

/** These generators cover what a reply of the Messages format can express. */

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const url = word.map((name) => `https://files.example/${name}`);
const object = fc
  .dictionary(word, fc.oneof(fc.integer(), text, fc.boolean()), { maxKeys: 3 })
  .map((value) => JSON.stringify(value));

const count = fc.nat(100_000);
const usage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: fc.integer({ min: 1, max: 1000 }),
    cacheReadTokens: count,
    cacheWrite5mTokens: count,
    cacheWrite1hTokens: count,
    outputTokens: count,
    reasoningTokens: count,
  })
  .map((counts) => ({
    ...noUsage,
    ...counts,
    reasoningTokens: Math.min(counts.reasoningTokens, counts.outputTokens),
  }));

const choice = 0;
const makers = fc.constantFrom('anthropic-messages' as const, 'gemini' as const, 'openai-responses' as const);
const signed = fc.tuple(base64, makers);

const thought: fc.Arbitrary<ChatEvent[]> = fc.oneof(
  fc
    .tuple(fc.array(text, { maxLength: 3 }), signed)
    .map(([pieces, [signature, signatureFrom]]): ChatEvent[] => [
      ...pieces.map((piece): ChatEvent => ({ type: 'reasoning-delta', choice, text: piece })),
      { type: 'reasoning-end', choice, signature, signatureFrom },
    ]),
  signed.map(([redacted, signatureFrom]): ChatEvent[] => [
    { type: 'reasoning-end', choice, redacted, signatureFrom },
  ]),
);
const citation: fc.Arbitrary<ChatEvent> = fc.record({
  type: fc.constant('citation' as const),
  choice: fc.constant(choice),
  url,
  title: text,
  extras: fc.constant({ 'anthropic-messages': { cited_text: 'c', encrypted_index: 'e' } }),
});
const statement: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(fc.array(text, { minLength: 1, maxLength: 3 }), fc.array(citation, { maxLength: 2 }))
  .map(([pieces, citations]) => [
    ...pieces.map((piece): ChatEvent => ({ type: 'text-delta', choice, text: piece })),
    ...citations,
  ]);
const held: fc.Arbitrary<ChatEvent[]> = fc.constantFrom(
  [
    {
      type: 'opaque',
      choice,
      extras: { 'anthropic-messages': { type: 'server_tool_use', id: 's', name: 'w', input: { q: 'x' } } },
    },
  ],
  [
    {
      type: 'opaque',
      choice,
      extras: { 'anthropic-messages': { type: 'web_search_tool_result', tool_use_id: 's', content: [] } },
    },
  ],
);
const calls = fc
  .array(fc.tuple(word, word, object, fc.integer({ min: 1, max: 9 })), { maxLength: 3 })
  .map((list) =>
    list.flatMap(([id, name, argumentsText, size], index): ChatEvent[] => [
      { type: 'tool-call-start', choice, index, id: `${id}${index}`, name },
      ...(argumentsText.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []).map((piece): ChatEvent => ({
        type: 'tool-call-delta',
        choice,
        index,
        argumentsText: piece,
      })),
    ]),
  );
const finishOf = (hasCalls: boolean): fc.Arbitrary<ChatEvent> => {
  const reasons: FinishReason[] = hasCalls
    ? ['tool-calls', 'length']
    : ['stop', 'length', 'refusal', 'pause'];
  const plain = fc.constantFrom(...reasons).map((reason): ChatEvent => ({ type: 'finish', choice, reason }));
  return fc.oneof(
    plain,
    text.map((stopSequence): ChatEvent => ({ type: 'finish', choice, reason: 'stop', stopSequence })),
  );
};

/** A text block that follows another one marks the beginning of a statement. */
const inBlocks = (parts: readonly ChatEvent[][]): ChatEvent[] =>
  parts.flatMap((part, index) => {
    const [first, ...rest] = part;
    const before = parts[index - 1]?.[0];
    if (first?.type !== 'text-delta' || before?.type !== 'text-delta') return part;
    return [{ ...first, extras: { 'anthropic-messages': { begins_block: true } } }, ...rest];
  });

/** What a block cites is about all of its text. Places count from the start of the statement. */
const placed = (events: readonly ChatEvent[]): ChatEvent[] => {
  let from = 0;
  let to = 0;
  return events.map((event, index) => {
    if (event.type === 'citation') return { ...event, startIndex: from, endIndex: to };
    if (event.type !== 'text-delta') return event;
    const isNext = events[index - 1]?.type !== 'text-delta' || event.extras !== undefined;
    if (event.begins === true) to = 0;
    if (isNext || event.begins === true) from = to;
    to += event.text.length;
    return event;
  });
};

/** Replies of the Messages format, whole or streamed: one answer made of blocks. */
export const anthropicReply: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(
    fc.record({ type: fc.constant('start' as const), id: word, model: word }),
    fc.array(thought, { maxLength: 2 }),
    fc.array(fc.oneof(statement, held), { maxLength: 3 }),
    calls,
    fc.option(usage, { nil: undefined }),
  )
  .chain(([start, thoughts, said, called, used]) =>
    finishOf(called.length > 0).map((finish) => [
      start,
      ...thoughts.flat(),
      ...placed(withStatements(inBlocks(said), ['opaque'])),
      ...called,
      finish,
      ...(used === undefined ? [] : [{ type: 'usage' as const, usage: used }]),
    ]),
  );
