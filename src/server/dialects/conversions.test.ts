import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { ChatRequest, ContentPart, DialectName, Message } from '#core/chat/request.ts';
import { completionTokens, noUsage, promptTokens } from '#core/chat/usage.ts';
import { chatDialects } from './chat-dialects.ts';
import { readStream, writeStream } from './testing/streams.ts';

/** What every format can express survives the conversion between any two of the four. */

const names = Object.keys(chatDialects) as DialectName[];
const pairs = names.flatMap((from) => names.map((to): [DialectName, DialectName] => [from, to]));

const through = (value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
const said = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const object = fc.dictionary(
  word,
  fc.oneof(said, fc.integer(), fc.boolean(), fc.array(said, { maxLength: 2 })),
  {
    maxKeys: 3,
  },
);

interface Call {
  readonly name: string;
  readonly input: Record<string, unknown>;
}
const calls: fc.Arbitrary<Call[]> = fc.array(fc.record({ name: word, input: object }), { maxLength: 3 });

const cut = (text: string, size: number): string[] => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];

const reply: fc.Arbitrary<ChatEvent[]> = fc
  .record({
    texts: fc.array(said, { maxLength: 3 }),
    calls,
    size: fc.integer({ min: 1, max: 9 }),
    end: fc.constantFrom<FinishReason>('stop', 'length'),
    usage: fc.record({
      inputTokens: fc.integer({ min: 1, max: 9999 }),
      cacheReadTokens: fc.nat(9999),
      outputTokens: fc.nat(9999),
    }),
  })
  .filter((one) => one.texts.length + one.calls.length > 0)
  .map(({ texts, calls: made, size, end, usage }) => [
    { type: 'start', id: 'r1', model: 'm', createdAtMs: 1_700_000_000_000 },
    ...texts.map((text): ChatEvent => ({ type: 'text-delta', choice: 0, text })),
    ...made.flatMap(({ name, input }, index): ChatEvent[] => [
      { type: 'tool-call-start', choice: 0, index, id: `call_${index}`, name },
      ...cut(JSON.stringify(input), size).map((argumentsText): ChatEvent => ({
        type: 'tool-call-delta',
        choice: 0,
        index,
        argumentsText,
      })),
    ]),
    { type: 'finish', choice: 0, reason: made.length > 0 && end === 'stop' ? 'tool-calls' : end },
    { type: 'usage', usage: { ...noUsage, ...usage } },
  ]);

const summary = (events: readonly ChatEvent[]) => {
  const made = new Map<number, { name: string; text: string }>();
  const sum = { text: '', finish: '', usage: '', calls: [] as { name: string; input: unknown }[], ids: 0 };
  const ids = new Set<string>();
  for (const event of events) {
    if (event.type === 'text-delta') sum.text += event.text;
    else if (event.type === 'finish') sum.finish = event.reason;
    else if (event.type === 'tool-call-start') {
      ids.add(event.id);
      made.set(event.index, { name: event.name, text: '' });
    } else if (event.type === 'tool-call-delta') {
      const call = made.get(event.index);
      if (call !== undefined) call.text += event.argumentsText;
    } else if (event.type === 'usage') {
      const { usage } = event;
      sum.usage = `${promptTokens(usage)} ${usage.cacheReadTokens} ${completionTokens(usage)}`;
    }
  }
  sum.calls = [...made.values()].map(({ name, text }) => ({
    name,
    input: JSON.parse(text === '' ? '{}' : text),
  }));
  sum.ids = ids.size;
  return sum;
};

describe.each(pairs)('a reply from an upstream of %s to a caller of %s', (from, to) => {
  const upstream = chatDialects[from];
  const caller = chatDialects[to];

  test('streamed, keeps its text, calls, stop reason and usage', async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (events) => {
        const sent = await Array.fromAsync(writeStream(upstream, events));
        const given = await Array.fromAsync(writeStream(caller, readStream(upstream, sent)));
        expect(summary(await Array.fromAsync(readStream(caller, given)))).toEqual(summary(events));
      }),
      { numRuns: 60 },
    );
  });

  test('whole, keeps the same', () => {
    fc.assert(
      fc.property(reply, (events) => {
        const given = caller.writeWhole(upstream.readWhole(through(upstream.writeWhole(events))));
        expect(summary(caller.readWhole(through(given)))).toEqual(summary(events));
      }),
      { numRuns: 60 },
    );
  });

  test('is metered the same as it is read', async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (events) => {
        const taps = (await Array.fromAsync(writeStream(upstream, events))).map((frame) =>
          upstream.tap(frame),
        );
        const usage = taps.findLast((tapped) => tapped?.usage !== undefined)?.usage ?? noUsage;
        expect(`${promptTokens(usage)} ${usage.cacheReadTokens} ${completionTokens(usage)}`).toBe(
          summary(events).usage,
        );
        expect(taps.some((tapped) => tapped?.content === true)).toBe(true);
        expect(taps.some((tapped) => tapped?.finish !== undefined || tapped?.done === true)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

const text = (value: string): ContentPart => ({ type: 'text', text: value });

/** A conversation with one round of tool calls. */
const conversation: fc.Arbitrary<ChatRequest> = fc
  .record({
    system: said,
    question: said,
    answer: said,
    calls: fc.array(fc.record({ name: word, input: object, result: said }), { minLength: 1, maxLength: 3 }),
    next: said,
    stream: fc.boolean(),
    most: fc.integer({ min: 16, max: 100_000 }),
    temperature: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  })
  .map(({ system, question, answer, calls: made, next, stream, most, temperature }) => ({
    model: 'm',
    stream,
    messages: [
      { role: 'system', content: [text(system)] },
      { role: 'user', content: [text(question)] },
      {
        role: 'assistant',
        content: [
          text(answer),
          ...made.map(({ name, input }, index): ContentPart => ({
            type: 'tool-call',
            id: `call_${index}`,
            name,
            argumentsText: JSON.stringify(input),
          })),
        ],
      },
      ...made.map(({ name, result }, index): Message => ({
        role: 'tool',
        content: [{ type: 'tool-result', callId: `call_${index}`, name, content: [text(result)] }],
      })),
      { role: 'user', content: [text(next)] },
    ],
    tools: [...new Set(made.map(({ name }) => name))].map((name) => ({
      name,
      description: `does ${name}`,
      parameters: { type: 'object', properties: {} },
    })),
    maxOutputTokens: most,
    temperature,
    extras: {},
  }));

const wordsOf = (request: ChatRequest) => {
  const parts = request.messages.flatMap(({ role, content }) => content.map((part) => ({ role, part })));
  const said = (wanted: string) =>
    parts
      .flatMap(({ role, part }) => (part.type === 'text' && role === wanted ? [part.text] : []))
      .join('\n');
  const results = parts.flatMap(({ part }) => (part.type === 'tool-result' ? [part] : []));
  return {
    model: request.model,
    stream: request.stream,
    system: said('system') || said('developer'),
    user: said('user'),
    assistant: said('assistant'),
    // Each call with its result: ids may change, pairs may not.
    calls: parts.flatMap(({ part }) => {
      if (part.type !== 'tool-call') return [];
      const result = results.find(({ callId }) => callId === part.id);
      const outcome = result?.content.map((inner) => (inner.type === 'text' ? inner.text : '')).join('');
      return [{ name: part.name, input: JSON.parse(part.argumentsText), outcome }];
    }),
    tools: request.tools?.map(({ name, description }) => ({ name, description })),
    most: request.maxOutputTokens,
    temperature: request.temperature,
  };
};

describe.each(pairs)('a request of a caller of %s to an upstream of %s', (from, to) => {
  test('keeps who said what, each call with its result, the tools and the limits', () => {
    const told = (request: ChatRequest) => ({ model: request.model, stream: request.stream });
    fc.assert(
      fc.property(conversation, (request) => {
        const sent = { ...through(chatDialects[from].writeRequest(request)), ...told(request) };
        const read = chatDialects[from].readRequest(sent);
        const written = { ...through(chatDialects[to].writeRequest(read)), ...told(request) };
        expect(wordsOf(chatDialects[to].readRequest(written))).toEqual(wordsOf(request));
      }),
      { numRuns: 80 },
    );
  });
});
