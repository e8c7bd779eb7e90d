import { beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import type { Frame } from '../frame.ts';
import { fold } from '../testing/fold.ts';
import { gemini } from './gemini.ts';
import { framesOf, readStream, writeStream } from '../testing/streams.ts';
import { hasRecordings, recordedExchanges } from '../testing/recorded-exchanges.ts';

interface Exchange {
  readonly id: string;
  readonly request: { readonly path?: string; readonly body: unknown } | null;
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}

interface WireReply {
  readonly candidates?: readonly {
    readonly index?: number;
    readonly content?: { readonly parts?: readonly Record<string, unknown>[] };
    readonly finishReason?: unknown;
  }[];
  readonly usageMetadata?: Record<string, unknown>;
  readonly promptFeedback?: { readonly blockReason?: string };
}

const exchanges: Exchange[] = [];

/** The JSON payloads as anybody would read them, line by line: the other way to the same facts. */
const payloads = (sse: string): WireReply[] =>
  sse
    .split(/\r\n|\r|\n/)
    .flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5)) as WireReply] : []));

const read = (frames: readonly Frame[]): Promise<ChatEvent[]> => Array.fromAsync(readStream(gemini, frames));

const write = (events: readonly ChatEvent[]): Promise<Frame[]> =>
  Array.fromAsync(writeStream(gemini, events));

const partsIn = (bodies: readonly WireReply[]): Record<string, unknown>[] =>
  bodies.flatMap((body) =>
    (body.candidates ?? []).flatMap((candidate) => [...(candidate.content?.parts ?? [])]),
  );

const saidIn = (bodies: readonly WireReply[], thought: boolean): string =>
  partsIn(bodies)
    .filter((part) => typeof part['text'] === 'string' && (part['thought'] === true) === thought)
    .map((part) => String(part['text']))
    .join('');

/** What a reply says, read from its JSON and from its events. */
const expectSaid = (id: string, bodies: readonly WireReply[], events: readonly ChatEvent[]): void => {
  const folded = fold(events);
  const choices = Object.values(folded.choices);
  const joined = (key: 'text' | 'reasoning') => choices.map((choice) => choice[key]).join('');
  expect({ id, text: joined('text') }).toEqual({ id, text: saidIn(bodies, false) });
  expect({ id, thoughts: joined('reasoning') }).toEqual({ id, thoughts: saidIn(bodies, true) });
  const calls = partsIn(bodies).flatMap((part) => {
    const call = part['functionCall'] as { name: string; args?: unknown } | undefined;
    return call === undefined
      ? []
      : [{ name: call.name, args: call.args ?? {}, seal: part['thoughtSignature'] }];
  });
  const reported = choices.flatMap((choice) => choice.calls);
  expect({
    id,
    calls: reported.map((call) => ({
      name: call.name,
      args: JSON.parse(call.argumentsText) as unknown,
      seal: call.signature,
    })),
  }).toEqual({ id, calls });
  expect(new Set(reported.map((call) => call.id)).size).toBe(reported.length);
  const last = bodies.findLast(
    (body) => body.usageMetadata?.['promptTokenCount'] !== undefined,
  )?.usageMetadata;
  if (last === undefined) return;
  const { usage } = folded;
  const sum = usage === undefined ? 0 : promptTokens(usage) + completionTokens(usage);
  expect({ id, total: sum }).toEqual({ id, total: last['totalTokenCount'] ?? sum });
};

describe.skipIf(!hasRecordings)('recorded Gemini traffic (needs TOLLGATE_RECORDINGS)', () => {
  beforeAll(() => {
    exchanges.push(...(recordedExchanges(/\.gemini\.\w*[gG]enerateContent\./) as Exchange[]));
  });

  const streams = () =>
    exchanges.flatMap((exchange) =>
      exchange.response.sse === undefined ? [] : [{ id: exchange.id, sse: exchange.response.sse }],
    );
  const wholes = () =>
    exchanges.filter(({ response }) => response.status === 200 && response.body !== undefined);

  test('there is some', () => {
    expect(streams().length).toBeGreaterThan(5);
    expect(wholes().length).toBeGreaterThan(10);
  });

  test('a stream reads as its JSON says, and survives being written again, whole or streamed', async () => {
    for (const { id, sse } of streams()) {
      const events = await read(framesOf([Buffer.from(sse)]));
      expectSaid(id, payloads(sse), events);
      const folded = fold(events);
      expect({ id, reply: fold(await read(await write(events))) }).toEqual({ id, reply: folded });
      expect({ id, reply: fold(gemini.readWhole(gemini.writeWhole(events))) }).toEqual({ id, reply: folded });
    }
  });

  test('cut at every byte, a stream taps and reads the same', async () => {
    const small = streams()
      .filter(({ sse }) => sse.length < 6000)
      .slice(0, 8);
    expect(small.length).toBeGreaterThan(2);
    for (const { id, sse } of small) {
      const bytes = Buffer.from(sse);
      const whole = framesOf([bytes]);
      const expected = { taps: whole.map((frame) => gemini.tap(frame)), events: await read(whole) };
      for (let at = 1; at < bytes.length; at += 1) {
        const split = framesOf([Buffer.from(bytes.subarray(0, at)), Buffer.from(bytes.subarray(at))]);
        expect({ id, taps: split.map((frame) => gemini.tap(frame)) }).toEqual({ id, taps: expected.taps });
      }
      const single = framesOf([...bytes].map((byte) => Buffer.from([byte])));
      expect({ id, events: await read(single) }).toEqual({ id, events: expected.events });
    }
  });

  test('a whole reply reads as its JSON says, and survives being written again, whole or streamed', async () => {
    for (const { id, response } of wholes()) {
      const bodies = [response.body].flat() as WireReply[];
      const events = gemini.readWhole(response.body);
      expectSaid(id, bodies, events);
      const tapped = gemini.tapWhole(response.body);
      const folded = fold(events);
      expect({ id, usage: tapped.usage }).toEqual({ id, usage: folded.usage });
      expect({ id, reported: tapped.content ?? tapped.finish }).not.toEqual({ id, reported: undefined });
      // An end that is no answer is repeated as it came, and an error to others: it is never written here.
      expect({ id, error: folded.error }).toEqual({ id, error: tapped.failure?.message });
      if (tapped.failure !== undefined) continue;
      expect({ id, reply: fold(gemini.readWhole(gemini.writeWhole(events))) }).toEqual({ id, reply: folded });
      expect({ id, reply: fold(await read(await write(events))) }).toEqual({ id, reply: folded });
    }
  });

  test('every recorded request passes the door, and read and written again says the same', () => {
    let requests = 0;
    for (const { id, request } of exchanges) {
      const { body } = request ?? {};
      if (typeof body !== 'object' || body === null || !('contents' in body)) continue;
      requests += 1;
      const routed = { ...body, model: 'gemini-3-flash', stream: false };
      expect(gemini.facts(routed).inputTokensEstimate).toBeGreaterThan(0);
      const chat = gemini.readRequest(routed);
      const again = gemini.readRequest({
        ...gemini.writeRequest(chat),
        model: 'gemini-3-flash',
        stream: false,
      });
      // Thoughts that are asked for are shown, and functions go first: that is all that writing changes.
      const plain = ({ tools, ...rest }: typeof chat) => ({
        ...rest,
        reasoning: undefined,
        tools: tools?.toSorted((a, b) => a.name.localeCompare(b.name)),
      });
      expect({ id, chat: plain(again) }).toEqual({ id, chat: plain(chat) });
    }
    expect(requests).toBeGreaterThan(20);
  });

  test('every recorded failure becomes an error that may be shown', () => {
    for (const { id, response } of exchanges) {
      if (response.status < 400) continue;
      const error = gemini.readError(response.status, response.body ?? response.sse);
      expect({ id, status: error.upstream?.status }).toEqual({ id, status: response.status });
      expect(error.upstream?.message).not.toMatch(/AIza|Bearer (?!\[)/);
      expect(error.upstream?.type).toMatch(/^[A-Z_]+$/);
      expect(error.code === 'rate_limited').toBe(response.status === 429);
    }
  });
});
