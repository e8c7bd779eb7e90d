import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dialect, StreamReader } from '../../dialects/dialect.ts';
import { SseParser } from '../../dialects/sse.ts';
import { maskAndTap, maskingOf } from './mask.ts';
import { Rewriter } from './rewriter.ts';
import type { Answered } from '../stages.ts';
import { answeredCall, heldCall } from '../testing/answered-call.ts';
import {
  cutAt,
  type Pair,
  pairs,
  SECRET,
  streamOf,
  inPieces,
  SHOWN_PIECES,
  textsOf,
} from '../testing/alike-streams.ts';

const answeredBy = (pair: Pair, openReader: () => StreamReader, written: Buffer[]): Answered => {
  const write = (bytes: Buffer): boolean => written.push(Buffer.from(bytes)) > 0;
  const held = heldCall(pair.caller, { write });
  const facts = { ...held.request.facts, wantsStreamUsage: true };
  const format = { ...pair.upstream, openReader };
  return answeredCall({ ...held, request: { ...held.request, facts } }, format, SECRET);
};

/** Converts a stream in these pieces; returns what the caller gets and what was counted. */
const rewritten = (pair: Pair, pieces: readonly Buffer[], openReader: () => StreamReader): unknown => {
  const written: Buffer[] = [];
  const call = answeredBy(pair, openReader, written);
  const rewriter = new Rewriter(call, maskingOf(call.secrets));
  const parser = new SseParser();
  let thrown: unknown;
  try {
    let isOver = false;
    for (const piece of pieces)
      isOver ||= rewriter.takeFrames(parser.feed(rewriter.takeAlike(Buffer.from(piece), parser)));
    if (!isOver) rewriter.takeFrames(parser.end());
    rewriter.end();
  } catch (error) {
    thrown = error;
    rewriter.flush();
  }
  return { said: Buffer.concat(written).toString('latin1'), meter: call.live.meter, thrown };
};

/** The same reader without its optional shortcuts. */
const everyFrame =
  ({ openReader }: Dialect) =>
  (): StreamReader => {
    const reader = openReader();
    return { read: (frame) => reader.read(frame), end: () => reader.end() };
  };

describe.each(pairs)('$upstream.name to $caller.name', (pair) => {
  test('a stream has the same bytes and counts, whether or not similar frames are parsed, cut anywhere', () => {
    fc.assert(
      fc.property(streamOf(pair), fc.array(fc.nat(), { maxLength: 6 }), (bytes, places) => {
        const pieces = cutAt(bytes, places);
        expect(rewritten(pair, pieces, pair.upstream.openReader)).toEqual(
          rewritten(pair, pieces, everyFrame(pair.upstream)),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('an event that is too large to be converted ends the answer, also one that was heard before it is shown', () => {
    const written: Buffer[] = [];
    const call = answeredBy(pair, pair.upstream.openReader, written);
    const rewriter = new Rewriter(call, maskingOf(call.secrets));
    const frame = { raw: Buffer.from('data: {'), event: '', data: Buffer.alloc(0), oversized: true } as const;
    const refusal = 'an event that is too large to be converted';
    expect(() => rewriter.takeFrames([frame])).toThrow(refusal);
    expect(() => rewriter.say({ frame, tapped: undefined })).toThrow(refusal);
    rewriter.flush();
    expect(written).toEqual([]);
  });

  test('of any number of similar frames two are parsed', () => {
    const [shape = ''] = pair.shapes;
    const frames = Array.from({ length: 50 }, (_, index) =>
      Buffer.from(shape.replace('TEXT', `word ${index} `)),
    );
    let reads = 0;
    const counting = (): StreamReader => {
      const reader = pair.upstream.openReader();
      return { ...reader, read: (frame) => ((reads += 1), reader.read(frame)) };
    };
    for (const pieces of [frames, [Buffer.concat(frames)], cutAt(Buffer.concat(frames), [1000, 3000])]) {
      reads = 0;
      expect(rewritten(pair, pieces, counting)).toEqual(rewritten(pair, pieces, everyFrame(pair.upstream)));
      expect(reads).toBeLessThan(4);
    }
  });

  test('a key never reaches the caller in an unparsed frame', () => {
    const [shape = ''] = pair.shapes;
    const texts = ['one ', 'two ', 'three ', `it is ${SECRET}`, `${SECRET}`];
    const pieces = texts.map((text) => Buffer.from(shape.replace('TEXT', text)));
    const { said } = rewritten(pair, pieces, pair.upstream.openReader) as { said: string };
    expect(said).not.toContain(SECRET);
    expect(said).toContain(`it is ${'*'.repeat(SECRET.length)}`);
  });

  test.each(inPieces)('a key in pieces is masked behind its first characters: %s%s%s…', (...texts) => {
    const [shape = ''] = pair.shapes;
    const frames = texts.map((text) => Buffer.from(shape.replace('TEXT', text)));
    for (const pieces of [frames, [Buffer.concat(frames)]]) {
      const { said } = rewritten(pair, pieces, pair.upstream.openReader) as { said: string };
      expect(textsOf(said)).toContain(`one two three it is ${SHOWN_PIECES} and more`);
    }
  });

  test('a long text of one frame is written in pieces, others in between, and the caller reads the same', async () => {
    const [shape = ''] = pair.shapes;
    const text = 'word \\" '.repeat(150_000);
    const [frame] = new SseParser().feed(Buffer.from(shape.replace('TEXT', text)));
    if (frame === undefined) throw new Error('no frame');
    const written: Buffer[] = [];
    const call = answeredBy(pair, pair.upstream.openReader, written);
    const rewriter = new Rewriter(call, maskingOf(call.secrets));
    const far = new Map([[frame, maskAndTap(frame, pair.upstream, maskingOf(call.secrets))]]);
    let longest = 0;
    await rewriter.takeFramesSlowly([frame], far, () => {
      const before = written.length;
      rewriter.flush();
      longest = Math.max(longest, ...written.slice(before).map(({ length }) => length));
      return Promise.resolve();
    });
    rewriter.flush();
    expect(written.length).toBeGreaterThan(6);
    expect(longest).toBeLessThan(300_000);
    expect(textsOf(Buffer.concat(written).toString())).toBe(text);
  });
});
