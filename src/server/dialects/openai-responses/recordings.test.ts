import { beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { Tapped } from '../dialect.ts';
import type { Frame } from '../frame.ts';
import { readUsage } from '../openai/usage/usage.ts';
import { fold, type Folded } from '../testing/fold.ts';
import { openaiResponses } from './openai-responses.ts';
import { framesOf, readStream, writeStream } from '../testing/streams.ts';
import { hasRecordings, recordedExchanges } from '../testing/recorded-exchanges.ts';

interface Exchange {
  readonly id: string;
  readonly request: { readonly body: unknown } | null;
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}
type Body = Readonly<Record<string, unknown>>;

const exchanges: Exchange[] = [];

const bodiesOf = (frames: readonly Frame[]): Body[] =>
  frames
    .map((frame) => frame.data.toString())
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data) as Body);
const tapsOf = (frames: readonly Frame[]): Tapped[] =>
  frames.flatMap((frame) => openaiResponses.tap(frame) ?? []);
const read = (frames: readonly Frame[]): Promise<ChatEvent[]> =>
  Array.fromAsync(readStream(openaiResponses, frames));
/** OpenAI encrypts the same reasoning again in its last event, so the sealed content is not compared. */
const unsealed = (folded: Folded): unknown =>
  JSON.parse(JSON.stringify(folded, (key, value: unknown) => (key === 'seals' ? [] : value)));

describe.skipIf(!hasRecordings)('recorded Responses traffic (needs TOLLGATE_RECORDINGS)', () => {
  beforeAll(() => {
    exchanges.push(...(recordedExchanges(/\.openai\.responses\.(?:stream|unary)\./) as Exchange[]));
  });

  const streams = () =>
    exchanges.flatMap(({ id, response: { sse } }) => (sse === undefined ? [] : [{ id, sse }]));
  const wholes = () =>
    exchanges.flatMap(({ id, response: { status, body } }) =>
      status === 200 && body !== undefined ? [{ id, body: body as Body }] : [],
    );

  test('there is some', () => {
    expect(streams().length).toBeGreaterThan(10);
    expect(wholes().length).toBeGreaterThan(10);
  });

  test('the tap of every stream says what its last event says', () => {
    for (const { id, sse } of streams()) {
      const frames = framesOf([Buffer.from(sse)]);
      const taps = tapsOf(frames);
      const bodies = bodiesOf(frames);
      const last = bodies.findLast((body) => body['response'] !== undefined);
      const response = (last?.['response'] ?? {}) as Body;
      expect({ id, usage: taps.findLast(({ usage }) => usage !== undefined)?.usage }).toEqual({
        id,
        usage: readUsage(response['usage']),
      });
      const failed = response['status'] === 'failed';
      expect({ id, finished: taps.some(({ finish }) => finish !== undefined) }).toEqual({
        id,
        finished: !failed,
      });
      expect({ id, error: taps.some(({ error }) => error !== undefined) }).toEqual({ id, error: failed });
      expect({ id, done: taps.some(({ done }) => done === true) }).toEqual({ id, done: true });
      const deltas = bodies.filter((body) => String(body['type']).endsWith('.delta'));
      const names = bodies
        .filter(({ type }) => type === 'response.output_item.added')
        .map(({ item }) => (item as { readonly name?: string }).name ?? '');
      const text = [...deltas.map(({ delta }) => String(delta)), ...names].join('');
      const bytes = taps.reduce((sum, { outputBytes = 0 }) => sum + outputBytes, 0);
      // An escaped character may count for more than it is: never for less.
      expect({ id, atLeast: bytes >= Buffer.byteLength(text) }).toEqual({ id, atLeast: true });
    }
  });

  test('cut at every byte, a stream taps and reads the same', async () => {
    const small = streams()
      .filter(({ sse }) => sse.length < 20_000)
      .slice(0, 8);
    expect(small.length).toBeGreaterThan(3);
    for (const { id, sse } of small) {
      const bytes = Buffer.from(sse);
      const whole = framesOf([bytes]);
      const single = framesOf([...bytes].map((byte) => Buffer.from([byte])));
      expect({ id, taps: tapsOf(single), events: await read(single) }).toEqual({
        id,
        taps: tapsOf(whole),
        events: await read(whole),
      });
    }
  });

  test('a stream reads as its last event does, and survives being written again, streamed or whole', async () => {
    for (const { id, sse } of streams()) {
      const frames = framesOf([Buffer.from(sse)]);
      const events = await read(frames);
      const folded = fold(events);
      const last = bodiesOf(frames).findLast(({ type }) => type === 'response.completed')?.['response'];
      const said = last === undefined ? folded : fold(openaiResponses.readWhole(last));
      expect({ id, reply: unsealed(said) }).toEqual({ id, reply: unsealed(folded) });
      if (folded.error !== undefined) continue;
      const written = await Array.fromAsync(writeStream(openaiResponses, events));
      expect({ id, reply: fold(await read(written)) }).toEqual({ id, reply: folded });
      expect({ id, reply: fold(openaiResponses.readWhole(openaiResponses.writeWhole(events))) }).toEqual({
        id,
        reply: folded,
      });
    }
  });

  test('a whole reply taps and reads what it says, and survives being written again', () => {
    for (const { id, body } of wholes()) {
      const tapped = openaiResponses.tapWhole(body);
      const events = openaiResponses.readWhole(body);
      const folded = fold(events);
      expect({ id, usage: tapped.usage, finish: tapped.finish }).toEqual({
        id,
        usage: readUsage(body['usage']),
        finish: folded.choices[0]?.finish,
      });
      expect({ id, usage: folded.usage, error: tapped.error }).toEqual({
        id,
        usage: tapped.usage,
        error: undefined,
      });
      expect({ id, said: tapped.content === true || tapped.finish === 'length' }).toEqual({ id, said: true });
      expect({ id, reply: fold(openaiResponses.readWhole(openaiResponses.writeWhole(events))) }).toEqual({
        id,
        reply: folded,
      });
    }
  });

  test('every recorded request passes the door and survives being read and written', () => {
    let requests = 0;
    for (const { id, request, response } of exchanges) {
      const body = request?.body as Body | null | undefined;
      if (response.status !== 200 || body?.['model'] === undefined) continue;
      requests += 1;
      const facts = openaiResponses.facts(body);
      const chat = openaiResponses.readRequest(body);
      expect({ id, model: facts.model, stream: facts.stream }).toEqual({
        id,
        model: chat.model,
        stream: chat.stream,
      });
      const written = openaiResponses.writeRequest(chat);
      // Tools that only this format has are written last.
      const placeless = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).replaceAll(/tools\.\d+/g, 'tools'));
      const again = openaiResponses.readRequest(written);
      expect({ id, chat: placeless(again) }).toEqual({ id, chat: placeless(chat) });
      // Items go back as they came, thoughts and what is sealed in them byte for byte.
      // A field that is null is not given.
      const thoughts = (input: unknown): unknown[] =>
        (Array.isArray(input) ? (input as Body[]) : [])
          .filter((item) => item['type'] === 'reasoning')
          .map((item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)));
      expect({ id, thoughts: thoughts(written['input']) }).toEqual({ id, thoughts: thoughts(body['input']) });
    }
    expect(requests).toBeGreaterThan(20);
  });

  test('every recorded failure becomes an error that may be shown', () => {
    for (const { id, response } of exchanges) {
      if (response.status < 400) continue;
      const error = openaiResponses.readError(response.status, response.body);
      expect({ id, status: error.upstream?.status, said: error.upstream?.message !== '' }).toEqual({
        id,
        status: response.status,
        said: true,
      });
      expect([401, 403]).not.toContain(error.status);
    }
  });
});
