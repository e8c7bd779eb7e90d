import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest, ContentPart } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { fold } from '../testing/fold.ts';
import type { Frame } from '../frame.ts';
import { readFrames, SseParser } from '../sse.ts';
import { request as openaiRequest } from '../testing/chat-arbitraries.ts';
import { reply as openaiReply } from '../testing/chat-replies.ts';
import { geminiReply, geminiRequest } from '../testing/gemini-arbitraries.ts';
import { gemini } from './gemini.ts';
import { JsonArrayWriter } from './reply/json-array.ts';
import { inPieces, readStream, writeStream } from '../testing/streams.ts';
import { withoutCutCalls } from '../testing/without-cut-calls.ts';

const stream = (events: readonly ChatEvent[]): Promise<Frame[]> =>
  Array.fromAsync(writeStream(gemini, events));
const through = (value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

/** Parallel answers may interleave: only the order within each counts. */
const byChoice = (events: readonly ChatEvent[]): ChatEvent[] =>
  events.toSorted((a, b) => ('choice' in a ? a.choice : -1) - ('choice' in b ? b.choice : -1));

/** What the route puts into the body of a caller's request. */
const routed = (written: { readonly model: string; readonly stream: boolean }, wire: object) => ({
  ...wire,
  model: written.model,
  stream: written.stream,
});

describe('the laws of the Gemini format', () => {
  test('a request that is written reads back as itself, also through JSON', () => {
    fc.assert(
      fc.property(geminiRequest, (written) => {
        const wire = through(gemini.writeRequest(written));
        expect(gemini.readRequest(routed(written, wire))).toEqual(written);
        expect(gemini.facts(routed(written, wire))).toMatchObject({
          model: written.model,
          stream: written.stream,
          choices: written.choices ?? 1,
          maxOutputTokens: written.maxOutputTokens,
        });
      }),
      { numRuns: 500 },
    );
  });

  test('names in snake case say the same', () => {
    const snake = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(snake);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          // The caller's own objects have no field names of this format.
          key === 'args' || key === 'response' || key === 'parametersJsonSchema' || key === 'safetySettings'
            ? item
            : snake(item),
        ]),
      );
    };
    fc.assert(
      fc.property(geminiRequest, (written) => {
        const wire = through(gemini.writeRequest({ ...written, extras: {} }));
        const held =
          JSON.stringify(wire).includes('executableCode') || JSON.stringify(wire).includes('google');
        fc.pre(!held);
        const read = gemini.readRequest(routed(written, snake(wire) as object));
        expect(read).toEqual(gemini.readRequest(routed(written, wire)));
      }),
      { numRuns: 100 },
    );
  });

  test('a request of another format is carried: its texts, calls and results, in their order', () => {
    fc.assert(
      fc.property(openaiRequest, (asked) => {
        fc.pre(!JSON.stringify(asked).match(/hologram|file-id/));
        const read = gemini.readRequest(routed(asked, through(gemini.writeRequest(asked))));
        const callsOf = (messages: typeof asked.messages) =>
          messages.flatMap(({ content }) =>
            content.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.name]] : [])),
          );
        expect(callsOf(read.messages)).toEqual(callsOf(asked.messages));
        const saidBy = (role: string, messages: typeof asked.messages) =>
          messages
            .filter((message) => message.role === role)
            .flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? part.text : [])))
            .join('');
        const isBare = asked.messages.every(({ role }) => role === 'system' || role === 'developer');
        expect(isBare ? '' : saidBy('user', read.messages)).toBe(saidBy('user', asked.messages));
        expect([read.temperature, read.stop, read.toolChoice, read.choices]).toEqual([
          asked.temperature,
          asked.stop,
          asked.toolChoice,
          asked.choices,
        ]);
      }),
      { numRuns: 300 },
    );
  });

  test('a stream that is written reads back event by event', async () => {
    await fc.assert(
      fc.asyncProperty(geminiReply, async (events) => {
        expect(byChoice(await Array.fromAsync(readStream(gemini, await stream(events))))).toEqual(
          byChoice(events),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('a stream that is written reads the same from bytes cut anywhere, whatever its line ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        geminiReply,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        async (events, size, lineEnd, isComplete) => {
          const sse = Buffer.concat((await stream(events)).map((frame) => frame.raw)).toString();
          const noted = `: hello\n\n${isComplete ? sse : sse.trimEnd()}`;
          const bytes = Buffer.from(noted.replaceAll('\n', lineEnd));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
            Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
          );
          expect(byChoice(await Array.fromAsync(readStream(gemini, readFrames(inPieces(chunks)))))).toEqual(
            byChoice(events),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test('a whole reply says what the folded stream says, in either framing of it', async () => {
    await fc.assert(
      fc.asyncProperty(geminiReply, async (events) => {
        const frames = await stream(events);
        const writer = new JsonArrayWriter();
        const bytes = Buffer.concat([...frames.map((frame) => writer.write(frame)), writer.end()]);
        expect(fold(gemini.readWhole(JSON.parse(bytes.toString())))).toEqual(fold(events));
        expect(fold(gemini.readWhole(through(gemini.writeWhole(events))))).toEqual(fold(events));
      }),
      { numRuns: 300 },
    );
  });

  test('a call that the length cut off is not sent: half its arguments would be acted upon', async () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'a', model: 'm', createdAtMs: 1000 },
      { type: 'text-delta', choice: 0, text: 'One moment.' },
      { type: 'tool-call-start', choice: 0, index: 0, id: 'c0', name: 'list' },
      { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: '{"path":"/"}' },
      { type: 'tool-call-start', choice: 0, index: 1, id: 'c1', name: 'remove' },
      { type: 'tool-call-delta', choice: 0, index: 1, argumentsText: '{"path":"/tmp' },
      { type: 'finish', choice: 0, reason: 'length' },
    ];
    const streamed = fold(await Array.fromAsync(readStream(gemini, await stream(events))));
    for (const read of [streamed, fold(gemini.readWhole(through(gemini.writeWhole(events))))]) {
      expect(read.choices[0]?.calls.map(({ name, argumentsText }) => [name, argumentsText])).toEqual([
        ['list', '{"path":"/"}'],
      ]);
      expect(read.choices[0]?.finish).toBe('length');
    }
  });

  test('a reply of another format arrives whole: texts, thoughts, calls, why it ended, usage', async () => {
    await fc.assert(
      fc.asyncProperty(openaiReply, async (events) => {
        const folded = fold(withoutCutCalls(events));
        const streamed = fold(await Array.fromAsync(readStream(gemini, await stream(events))));
        const whole = fold(gemini.readWhole(through(gemini.writeWhole(events))));
        for (const read of [streamed, whole]) {
          for (const [choice, answer] of Object.entries(folded.choices)) {
            const found = read.choices[Number(choice)];
            const transcript = answer.audio?.transcript ?? '';
            expect(found?.text).toBe(answer.text + answer.refusal + transcript);
            expect(found?.reasoning).toBe(answer.reasoning);
            expect(found?.seals).toEqual(answer.seals);
            expect(found?.calls.map(({ id, name }) => [id, name])).toEqual(
              answer.calls.map(({ id, name }) => [id, name]),
            );
            expect(found?.images).toHaveLength(answer.images.length);
            const called = answer.finish === 'tool-calls' || answer.finish === 'stop';
            const end = answer.finish === 'refusal' ? 'content-filter' : answer.finish;
            expect(called ? end : found?.finish).toBe(end);
          }
          expect(read.usage).toEqual(folded.usage);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('usage in is usage out, and the tap of either form agrees', async () => {
    await fc.assert(
      fc.asyncProperty(geminiReply, async (events) => {
        const used = events.find((event) => event.type === 'usage')?.usage;
        expect(gemini.tapWhole(gemini.writeWhole(events)).usage).toEqual(used);
        const parser = new SseParser();
        const bytes = Buffer.concat((await stream(events)).map((frame) => frame.raw));
        const taps = [...parser.feed(bytes), ...parser.end()].map((frame) => gemini.tap(frame));
        expect(taps.findLast((tapped) => tapped?.usage !== undefined)?.usage).toEqual(used);
        expect(taps.at(-1)?.finish).toBeDefined();
        const answerText = events
          .flatMap((event) => (event.type === 'text-delta' ? event.text : []))
          .join('');
        const weighed = taps.reduce((sum, tapped) => sum + (tapped?.outputBytes ?? 0), 0);
        expect(weighed).toBeGreaterThanOrEqual(Buffer.byteLength(answerText));
      }),
      { numRuns: 200 },
    );
  });

  test('what this format cannot say is refused, naming the field', () => {
    const asked = (messages: ChatRequest['messages'], tools?: ChatRequest['tools']) => ({
      model: 'gemini-3-flash',
      stream: false,
      messages,
      ...(tools !== undefined && { tools }),
      extras: {},
    });
    const user = (part: ContentPart) => [{ role: 'user' as const, content: [part] }];
    const video = { type: 'video_url', video_url: { url: 'https://v.example' } };
    const refusals = [
      asked(user({ type: 'text', text: '', extras: { 'openai-chat': video } })),
      asked(user({ type: 'file', media: { from: 'file-id', fileId: 'f1' } })),
      asked(user({ type: 'text', text: 'x' }), [
        { name: 'advisor', extras: { 'anthropic-messages': { type: 'advisor_20260301' } } },
      ]),
    ].map((request) => {
      try {
        return gemini.writeRequest(request);
      } catch (thrown) {
        return thrown instanceof AppError ? `${thrown.code} ${thrown.param ?? ''}` : thrown;
      }
    });
    expect(refusals).toEqual([
      'invalid_request messages.0',
      'invalid_request file_id',
      'invalid_request tools.0',
    ]);
  });

  test('a signature goes back only to the kind of upstream that made it, byte for byte', () => {
    const call = { type: 'tool-call', id: 'a', name: 'f', argumentsText: '{}' } as const;
    const written = (from: 'gemini' | 'anthropic-messages') =>
      gemini.writeRequest({
        model: 'gemini-3-flash',
        stream: false,
        messages: [{ role: 'assistant', content: [{ ...call, signature: 'CqQB+/_-', signatureFrom: from }] }],
        extras: {},
      });
    const part = { functionCall: { id: 'a', name: 'f', args: {} } };
    expect(written('gemini')['contents']).toEqual([
      { role: 'model', parts: [{ ...part, thoughtSignature: 'CqQB+/_-' }] },
    ]);
    expect(written('anthropic-messages')['contents']).toEqual([{ role: 'model', parts: [part] }]);
  });

  test('calls and results without ids find each other, the same each time', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'go' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { a: 1 } } },
          { functionCall: { name: 'f', args: { a: 2 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { output: 'one' } } },
          { functionResponse: { name: 'f', response: { output: 'two' } } },
        ],
      },
    ];
    const read = () => gemini.readRequest({ model: 'm', contents }).messages.slice(1);
    const ids = read().map(({ content }) =>
      content.map((part) => ('callId' in part ? part.callId : 'id' in part ? part.id : '')),
    );
    expect(ids[0]).toEqual(ids[1]);
    expect(new Set(ids[0]).size).toBe(2);
    expect(read()).toEqual(read());
  });
});
