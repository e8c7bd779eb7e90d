import { beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { mergeReports } from '#core/quota/merge-reports.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Frame } from '../frame.ts';
import { fold } from '../testing/fold.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { framesOf, readStream, writeStream } from '../testing/streams.ts';
import { hasRecordings, recordedExchanges } from '../testing/recorded-exchanges.ts';

type Fields = Record<string, unknown>;

interface Exchange {
  readonly id: string;
  readonly endpoint: string;
  readonly request: { readonly body: unknown } | null;
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}

const exchanges: Exchange[] = [];

/** Combines the taps of all frames, as the meter does. */
const tapAll = (frames: readonly Frame[]) => {
  let usage: Usage | undefined;
  let finish: string | undefined;
  let bytes = 0;
  const seen = { error: false, content: false, done: false };
  for (const frame of frames) {
    const tapped = anthropicMessages.tap(frame) ?? {};
    if (tapped.usage !== undefined) usage = mergeReports(usage, tapped.usage, tapped.usageLacks);
    finish = tapped.finish ?? finish;
    bytes += tapped.outputBytes ?? 0;
    seen.error ||= tapped.error !== undefined;
    seen.content ||= tapped.content === true;
    seen.done ||= tapped.done === true;
  }
  return { usage, finish, bytes, ...seen };
};

/** What steps used that are not in the sums. */
const outputBeside = (iterations: unknown): number =>
  (Array.isArray(iterations) ? (iterations as Fields[]) : [])
    .filter(({ type }) => type === 'compaction' || type === 'advisor_message')
    .reduce((sum, step) => sum + Number(step['output_tokens']), 0);

const payloads = (sse: string): Fields[] =>
  sse
    .split(/\r\n|\r|\n/)
    .flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5)) as Fields] : []));

const read = async (frames: Iterable<Frame>): Promise<ChatEvent[]> => {
  const events: ChatEvent[] = [];
  for await (const event of readStream(anthropicMessages, frames)) events.push(event);
  return events;
};
/** White space between JSON tokens of arguments does not matter. */
const folded = (events: readonly ChatEvent[]) => {
  const reply = fold(events);
  for (const { calls } of Object.values(reply.choices))
    for (const call of calls) call.argumentsText = JSON.stringify(JSON.parse(call.argumentsText));
  return reply;
};
const written = async (events: readonly ChatEvent[]): Promise<Frame[]> => {
  const frames: Frame[] = [];
  for await (const frame of writeStream(anthropicMessages, events)) frames.push(frame);
  return frames;
};

/** Normalizes JSON: a text becomes one text block, and optional duplicates are removed. */
const plain = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value === 'string' && (key === 'content' || key === 'system'))
    return [{ type: 'text', text: value }];
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, field]) => field !== null && !(name === 'stream' && field === false),
  );
  return Object.fromEntries(
    entries
      .map(([name, field]): [string, unknown] => [name, plain(field, name)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
};

describe.skipIf(!hasRecordings)('recorded Messages traffic (needs TOLLGATE_RECORDINGS)', () => {
  beforeAll(() => {
    exchanges.push(...(recordedExchanges(/[.]anthropic[.]messages[.]/) as Exchange[]));
  });

  const streams = () =>
    exchanges.flatMap(({ id, response: { sse } }) => (sse === undefined ? [] : [{ id, sse }]));
  const wholes = () =>
    exchanges.flatMap(({ id, response: { status, body } }) =>
      status === 200 && body !== undefined ? [{ id, body: body as Fields }] : [],
    );

  test('there is some', () => {
    expect(streams().length).toBeGreaterThan(10);
    expect(wholes().length).toBeGreaterThan(10);
  });

  test('the tap of every stream says what its JSON says', () => {
    for (const { id, sse } of streams()) {
      const tapped = tapAll(framesOf([Buffer.from(sse)]));
      const bodies = payloads(sse);
      const last = bodies.findLast(({ type }) => type === 'message_delta') as
        | { delta: Fields; usage: Fields }
        | undefined;
      const texts = bodies
        .map((body) => (body['delta'] as { readonly text?: string } | undefined)?.text ?? '')
        .join('');
      expect({
        id,
        output: tapped.usage?.outputTokens,
        finished: tapped.finish !== undefined,
        done: tapped.done,
      }).toEqual({
        id,
        output: Number(last?.usage['output_tokens']) + outputBeside(last?.usage['iterations']),
        finished: typeof last?.delta['stop_reason'] === 'string',
        done: true,
      });
      expect({ id, atLeast: tapped.bytes >= Buffer.byteLength(texts), error: tapped.error }).toEqual({
        id,
        atLeast: true,
        error: false,
      });
    }
  });

  test('cut at every byte, a stream taps and reads the same', async () => {
    const small = streams()
      .filter(({ sse }) => sse.length < 8000)
      .slice(0, 8);
    expect(small.length).toBeGreaterThan(3);
    for (const { id, sse } of small) {
      const bytes = Buffer.from(sse);
      const whole = framesOf([bytes]);
      const expected = { tapped: tapAll(whole), events: await read(whole) };
      const single = framesOf([...bytes].map((byte) => Buffer.from([byte])));
      expect({ id, tapped: tapAll(single), events: await read(single) }).toEqual({ id, ...expected });
      for (let at = 1; at < bytes.length; at += 1) {
        const split = framesOf([Buffer.from(bytes.subarray(0, at)), Buffer.from(bytes.subarray(at))]);
        expect(tapAll(split)).toEqual(expected.tapped);
      }
    }
  });

  test('a stream reads as its taps say, and survives being written again, streamed or whole', async () => {
    for (const { id, sse } of streams()) {
      const frames = framesOf([Buffer.from(sse)]);
      const events = await read(frames);
      const reply = folded(events);
      expect({ id, usage: reply.usage }).toEqual({ id, usage: tapAll(frames).usage });
      expect({ id, reply: folded(await read(await written(events))) }).toEqual({ id, reply });
      const whole = anthropicMessages.readWhole(anthropicMessages.writeWhole(events));
      expect({ id, reply: folded(whole) }).toEqual({ id, reply });
      const opaque = (list: readonly ChatEvent[]) => list.filter(({ type }) => type === 'opaque');
      expect({ id, opaque: opaque(whole) }).toEqual({ id, opaque: opaque(events) });
    }
  });

  test('a whole reply read and written again is the same JSON', async () => {
    for (const { id, body } of wholes()) {
      const events = anthropicMessages.readWhole(body);
      const again = anthropicMessages.writeWhole(events) as Fields;
      const { usage, ...rest } = plain(body) as Fields;
      const { usage: usageAgain, ...restAgain } = plain(again) as Fields;
      expect({ id, ...restAgain }).toEqual({ id, ...rest });
      expect({ id, usage: usageAgain }).toMatchObject({
        id,
        usage: { output_tokens: (usage as Fields)['output_tokens'] },
      });
      expect(anthropicMessages.tapWhole(again).usage).toEqual(anthropicMessages.tapWhole(body).usage);
      expect({ id, reply: fold(await read(await written(events))) }).toEqual({ id, reply: fold(events) });
    }
  });

  test('every recorded request passes the door, and read and written again is the same JSON', () => {
    let requests = 0;
    for (const { id, request, response } of exchanges) {
      const body = request?.body as Fields | undefined;
      if (response.status !== 200 || body?.['messages'] === undefined) continue;
      requests += 1;
      // Some clouds put the model in the path; their provider has put it back by now.
      const asked: Fields = { model: 'm', ...body };
      const facts = anthropicMessages.facts(asked);
      const chat = anthropicMessages.readRequest(asked);
      expect({ id, model: facts.model, stream: facts.stream }).toEqual({
        id,
        model: chat.model,
        stream: chat.stream,
      });
      expect({ id, body: plain(anthropicMessages.writeRequest(chat)) }).toEqual({ id, body: plain(asked) });
    }
    expect(requests).toBeGreaterThan(20);
  });

  test('every recorded failure becomes an error that may be shown', () => {
    for (const { id, response } of exchanges) {
      if (response.status < 400) continue;
      const error = anthropicMessages.readError(response.status, response.body);
      expect({ id, status: error.upstream?.status, hasMessage: error.upstream?.message !== '' }).toEqual({
        id,
        status: response.status,
        hasMessage: true,
      });
      expect([401, 403]).not.toContain(error.status);
    }
  });
});
