import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pieces } from '#core/outbound/outbound.ts';
import { priceFrom } from '#core/quota/price.ts';
import { factorsOf } from '#core/quota/testing/price-factors.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { SseParser } from '../../dialects/sse.ts';
import { RollingHold } from '../bill/hold/rolling-hold.ts';
import { maskingOf } from './mask.ts';
import { repeat } from './repeat.ts';
import type { Answered } from '../stages.ts';
import { answeredCall, heldCall } from '../testing/answered-call.ts';
import { cutAt, pairs, SECRET, streamOf, inPieces, SHOWN_PIECES, textsOf } from '../testing/alike-streams.ts';

/** A call without charge. */
const bill = { checkpoint: () => undefined, close: () => Promise.resolve() };

const piecesOf = (pieces: readonly Buffer[]): Pieces => {
  const rest = pieces.map((piece) => Buffer.from(piece)).values();
  return { next: async () => rest.next() };
};

/** A hold that pays for so many tokens of an answer. */
const holdOf = (coveredTokens: number): RollingHold => {
  const price = priceFrom(factorsOf(), 500_000);
  const heldUnits = coveredTokens * 1000;
  return new RollingHold({
    id: 'call',
    price,
    priceTold: () => price,
    size: { inputTokens: 10, maxOutputTokens: coveredTokens, choices: 1, leastInputTokens: 0 },
    heldUnits,
    coveredTokens,
    mostUnits: heldUnits,
    grow: async () => ({ state: 'grown', quotaUnits: heldUnits }),
    join: () => undefined,
  });
};

/** Passes a stream on in these pieces; returns what the caller gets and what was counted. */
const repeated = async (
  wire: Dialect,
  pieces: readonly Buffer[],
  checkReply?: Answered['checkReply'],
  rolling?: RollingHold,
) => {
  const written: Buffer[] = [];
  const reply = {
    write: (bytes: Buffer) => written.push(Buffer.from(bytes)) > 0,
    end: (bytes = Buffer.alloc(0)) => void written.push(Buffer.from(bytes)),
  };
  const answered = { ...answeredCall(heldCall(wire, reply), wire, SECRET), checkReply };
  answered.live.rolling = rolling;
  const { meter } = answered.live;
  const rest = piecesOf(pieces);
  const parser = new SseParser();
  const masking = maskingOf(answered.secrets);
  const stream = {
    kind: 'stream',
    first: [],
    rest,
    parser,
    masking,
    meter,
    discard: () => undefined,
  } as const;
  const deps = { clock: { monotonic: () => 1, now: () => 1 } };
  const thrown: unknown = await repeat(deps, answered, stream, bill).catch((error: unknown) => error);
  return { said: Buffer.concat(written).toString('latin1'), meter, thrown };
};

/** When words are checked, every event is read. */
const everyEvent = (): undefined => undefined;

describe.each(pairs)('$upstream.name', (pair) => {
  const { upstream, shapes } = pair;

  test('a stream is passed on and counted the same, whether or not similar frames are skipped, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(streamOf(pair), fc.array(fc.nat(), { maxLength: 6 }), async (bytes, places) => {
        const pieces = cutAt(bytes, places);
        expect(await repeated(upstream, pieces)).toEqual(await repeated(upstream, pieces, everyEvent));
      }),
      { numRuns: 150 },
    );
  });

  test('of any number of similar frames one is parsed, however many come at once, while their text is paid', async () => {
    const [shape = ''] = shapes;
    const frames = Array.from({ length: 50 }, (_, index) =>
      Buffer.from(shape.replace('TEXT', `word ${index} `)),
    );
    let taps = 0;
    const wire: Dialect = { ...upstream, tap: (frame) => ((taps += 1), upstream.tap(frame)) };
    const outputBytes = 40 * 8 + 10 * 7;
    const inTwo = (place: number) =>
      [frames.slice(0, place), frames.slice(place)].map((some) => Buffer.concat(some));
    for (const pieces of [frames, inTwo(1), inTwo(3)]) {
      taps = 0;
      const { said, meter } = await repeated(wire, pieces, undefined, holdOf(outputBytes / 4 + 1));
      expect(said).toBe(Buffer.concat(frames).toString());
      expect(meter.outputBytes).toBe(outputBytes);
      expect(taps).toBeLessThan(7);
    }
  });

  test('the last event gets the blank line it lacks, but is dropped if it was itself cut off', async () => {
    const frames = shapes.slice(0, 2).map((shape) => shape.replace('SPACES', ''));
    const [first = '', last = ''] = frames;
    const whole = await repeated(upstream, [Buffer.from(first), Buffer.from(last.trimEnd())]);
    expect(whole.said).toBe(first + last);
    const half = await repeated(upstream, [Buffer.from(first), Buffer.from(last.slice(0, -8))]);
    expect(half.said).toBe(first);
  });

  test('a key never reaches the caller in an unparsed frame', async () => {
    const [shape = ''] = shapes;
    const texts = ['one ', 'two ', 'three ', `it is ${SECRET}`, `${SECRET}`];
    const { said } = await repeated(
      upstream,
      texts.map((text) => Buffer.from(shape.replace('TEXT', text))),
    );
    expect(said).not.toContain(SECRET);
    expect(said).toContain(`it is ${'*'.repeat(SECRET.length)}`);
  });

  test.each(inPieces)('a key in pieces is masked behind its first characters: %s%s%s…', async (...texts) => {
    const [shape = ''] = shapes;
    const frames = texts.map((text) => Buffer.from(shape.replace('TEXT', text)));
    for (const pieces of [frames, [Buffer.concat(frames)]]) {
      const { said } = await repeated(upstream, pieces);
      expect(textsOf(said)).toContain(`one two three it is ${SHOWN_PIECES} and more`);
    }
  });
});

test("behind the end of a stream another format's end mark is passed on, and nothing else", async () => {
  const text = (pairs[0]?.shapes[0] ?? '').replace('TEXT', 'said');
  const end = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
  const mark = 'data: [DONE]\n\n';
  const said = async (...behind: string[]): Promise<string> =>
    (await repeated(anthropicMessages, [Buffer.from([text, end, ...behind].join(''))])).said;
  expect(await said(mark)).toBe(text + end + mark);
  expect(await said('data: {"type":"message_start"}\n\n', mark)).toBe(text + end);
});
