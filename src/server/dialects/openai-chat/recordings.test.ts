import { beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Tapped } from '../dialect.ts';
import type { Frame } from '../frame.ts';
import { readUsage } from '../openai/usage/usage.ts';
import { fold } from '../testing/fold.ts';
import { openaiChat } from './openai-chat.ts';
import { framesOf, readStream, writeStream } from '../testing/streams.ts';
import { hasRecordings, recordedExchanges } from '../testing/recorded-exchanges.ts';

interface Exchange {
  readonly id: string;
  readonly endpoint: string;
  readonly request: { readonly body: unknown } | null;
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}

const exchanges: Exchange[] = [];

/** What the taps of all frames add up to: the last of each. */
const tapAll = (frames: readonly Frame[]) => {
  const total: {
    usage?: Usage;
    finish?: string;
    error: boolean;
    content: boolean;
    done: boolean;
    bytes: number;
  } = {
    error: false,
    content: false,
    done: false,
    bytes: 0,
  };
  for (const frame of frames) {
    const tapped: Tapped = openaiChat.tap(frame) ?? {};
    if (tapped.usage !== undefined) total.usage = tapped.usage;
    if (tapped.finish !== undefined) total.finish = tapped.finish;
    total.error ||= tapped.error !== undefined;
    total.content ||= tapped.content === true;
    total.done ||= tapped.done === true;
    total.bytes += tapped.outputBytes ?? 0;
  }
  return total;
};

/** The JSON payloads as anybody would read them, line by line: the other way to the same facts. */
const payloads = (sse: string): Record<string, unknown>[] =>
  sse.split(/\r\n|\r|\n/).flatMap((line) => {
    if (!line.startsWith('data:') || line.includes('[DONE]')) return [];
    const value: unknown = JSON.parse(line.slice(5));
    return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
  });

interface WireChoice {
  finish_reason?: string | null;
  delta?: { content?: unknown };
  usage?: unknown;
}

const choicesOf = (payload: Record<string, unknown>): WireChoice[] =>
  Array.isArray(payload['choices']) ? payload['choices'] : [];

const usageIn = (payload: Record<string, unknown>): Usage | undefined =>
  readUsage(payload['usage']) ??
  readUsage((payload['x_groq'] as { usage?: unknown } | undefined)?.usage) ??
  choicesOf(payload)
    .map((choice) => readUsage(choice.usage))
    .find((usage) => usage !== undefined);

const read = async (frames: readonly Frame[]): Promise<ChatEvent[]> => {
  const events: ChatEvent[] = [];
  for await (const event of readStream(
    openaiChat,
    (async function* () {
      yield* frames;
    })(),
  ))
    events.push(event);
  return events;
};

describe.skipIf(!hasRecordings)('recorded OpenAI chat traffic (needs TOLLGATE_RECORDINGS)', () => {
  beforeAll(() => {
    exchanges.push(...(recordedExchanges(/[.]openai[.]chat[.]/) as Exchange[]));
  });

  const streams = () =>
    exchanges.flatMap((exchange) =>
      exchange.response.sse === undefined ? [] : [{ ...exchange, sse: exchange.response.sse }],
    );
  const wholes = () =>
    exchanges.filter((exchange) => exchange.response.status === 200 && exchange.response.body !== undefined);

  test('there is some', () => {
    expect(streams().length).toBeGreaterThan(20);
    expect(wholes().length).toBeGreaterThan(20);
  });

  test('the tap of every stream says what its JSON says', () => {
    for (const { id, sse } of streams()) {
      const tapped = tapAll(framesOf([Buffer.from(sse)]));
      const bodies = payloads(sse);
      const usage = bodies.map(usageIn).findLast((found) => found !== undefined);
      const finishes = bodies
        .flatMap(choicesOf)
        .filter((choice) => typeof choice.finish_reason === 'string' && choice.finish_reason !== '');
      expect({ id, usage: tapped.usage }).toEqual({ id, usage });
      expect({ id, finished: tapped.finish !== undefined }).toEqual({ id, finished: finishes.length > 0 });
      expect({ id, error: tapped.error }).toEqual({
        id,
        error: bodies.some((body) => body['error'] !== undefined && body['error'] !== null),
      });
      const text = bodies
        .flatMap(choicesOf)
        .map((choice) => (typeof choice.delta?.content === 'string' ? choice.delta.content : ''))
        .join('');
      expect({ id, atLeast: tapped.bytes >= Buffer.byteLength(text) }).toEqual({ id, atLeast: true });
    }
  });

  test('cut at every byte, a stream taps and reads the same', async () => {
    const small = streams()
      .filter(({ sse }) => sse.length < 12_000)
      .slice(0, 12);
    expect(small.length).toBeGreaterThan(5);
    for (const { id, sse } of small) {
      const bytes = Buffer.from(sse);
      const whole = framesOf([bytes]);
      const expected = { tapped: tapAll(whole), events: await read(whole) };
      const single = framesOf([...bytes].map((byte) => Buffer.from([byte])));
      expect({ id, tapped: tapAll(single), events: await read(single) }).toEqual({ id, ...expected });
      for (let at = 1; at < bytes.length; at += 1) {
        const split = framesOf([Buffer.from(bytes.subarray(0, at)), Buffer.from(bytes.subarray(at))]);
        expect(tapAll(split)).toEqual(expected.tapped);
        expect(Buffer.concat(split.map((frame) => frame.raw)).equals(bytes)).toBe(true);
      }
    }
  });

  test('a stream reads as its taps say, and survives being written again', async () => {
    for (const { id, sse } of streams()) {
      const frames = framesOf([Buffer.from(sse)]);
      const tapped = tapAll(frames);
      const events = await read(frames);
      const folded = fold(events);
      expect({ id, usage: folded.usage }).toEqual({ id, usage: tapped.usage });
      if (tapped.error) continue;
      const written: Frame[] = [];
      for await (const frame of writeStream(
        openaiChat,
        (async function* () {
          yield* events;
        })(),
      ))
        written.push(frame);
      expect({ id, reply: fold(await read(written)) }).toEqual({ id, reply: folded });
      expect({ id, reply: fold(openaiChat.readWhole(openaiChat.writeWhole(events))) }).toEqual({
        id,
        reply: folded,
      });
    }
  });

  test('a whole reply taps and reads what it says, and survives being written again, whole or streamed', async () => {
    for (const { id, response } of wholes()) {
      const body = response.body as Record<string, unknown>;
      const tapped = openaiChat.tapWhole(body);
      const events = openaiChat.readWhole(body);
      const folded = fold(events);
      expect({ id, usage: tapped.usage }).toEqual({ id, usage: usageIn(body) });
      expect({ id, usage: folded.usage }).toEqual({ id, usage: tapped.usage });
      if (tapped.error !== undefined) continue;
      const said = tapped.content === true || tapped.finish === 'content-filter';
      const finished = choicesOf(body).some(
        (choice) => typeof choice.finish_reason === 'string' && choice.finish_reason !== '',
      );
      expect({ id, said, finished: tapped.finish !== undefined }).toEqual({ id, said: true, finished });
      expect({ id, reply: fold(openaiChat.readWhole(openaiChat.writeWhole(events))) }).toEqual({
        id,
        reply: folded,
      });
      const written: Frame[] = [];
      for await (const frame of writeStream(
        openaiChat,
        (async function* () {
          yield* events;
        })(),
      ))
        written.push(frame);
      expect({ id, reply: fold(await read(written)) }).toEqual({ id, reply: folded });
    }
  });

  test('every recorded request passes the door and survives being read and written', () => {
    let requests = 0;
    for (const { id, request, response } of exchanges) {
      const body = request?.body;
      if (
        response.status !== 200 ||
        typeof body !== 'object' ||
        body === null ||
        !('messages' in body) ||
        !('model' in body)
      )
        continue;
      requests += 1;
      const facts = openaiChat.facts(body as Record<string, unknown>);
      const chat = openaiChat.readRequest(body);
      expect({ id, model: facts.model, stream: facts.stream }).toEqual({
        id,
        model: chat.model,
        stream: chat.stream,
      });
      expect({ id, chat: openaiChat.readRequest(openaiChat.writeRequest(chat)) }).toEqual({ id, chat });
      const usage = usageIn((response.body ?? {}) as Record<string, unknown>);
      const searches =
        chat.tools?.some((tool) => tool.extras !== undefined) === true ||
        JSON.stringify(chat.extras).includes('search');
      // What a server finds in the web itself nobody can know before.
      if (usage === undefined || searches) continue;
      const used = usage.inputTokens + usage.cacheReadTokens;
      // Servers add tokens of their own for tools and templates; beyond those the estimate is above.
      expect({ id, covers: facts.inputTokensEstimate + 700 >= used }).toEqual({ id, covers: true });
    }
    expect(requests).toBeGreaterThan(20);
  });

  test('every recorded failure becomes an error that may be shown', () => {
    for (const { id, response } of exchanges) {
      if (response.status < 400) continue;
      const error = openaiChat.readError(response.status, response.body);
      expect({ id, status: error.upstream?.status, said: error.upstream?.message !== '' }).toEqual({
        id,
        status: response.status,
        said: true,
      });
      expect([401, 403]).not.toContain(error.status);
    }
  });
});
