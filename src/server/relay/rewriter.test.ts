import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dialect, StreamReader } from '../dialects/dialect.ts';
import { SseParser } from '../dialects/sse.ts';
import { newMeter } from './meter.ts';
import { Outlet } from './outlet.ts';
import { Rewriter } from './rewriter.ts';
import type { Running } from './running.ts';
import { Secrets } from '#core/secrets.ts';
import { cutAt, type Pair, pairs, SECRET, streamOf } from './testing/alike-streams.ts';

const running = (pair: Pair, openReader: () => StreamReader, written: Buffer[]): Running => {
  const reply = { write: (bytes: Buffer) => written.push(Buffer.from(bytes)) > 0 };
  const parts = {
    wire: pair.caller,
    format: { ...pair.upstream, openReader },
    meter: newMeter(),
    secrets: new Secrets([SECRET]),
    outlet: new Outlet({ reply, framing: 'events' } as unknown as ConstructorParameters<typeof Outlet>[0], 0),
    asked: { facts: { model: 'm', wantsStreamUsage: true } },
    call: { requestId: 'r' },
    createdAtMs: 1000,
  };
  return parts as unknown as Running;
};

/** What the caller gets of a stream that came in these pieces, and what was counted. */
const rewritten = (pair: Pair, pieces: readonly Buffer[], openReader: () => StreamReader): unknown => {
  const written: Buffer[] = [];
  const call = running(pair, openReader, written);
  const rewriter = new Rewriter(call);
  const parser = new SseParser();
  let thrown: unknown;
  try {
    let isOver = false;
    for (const piece of pieces) isOver ||= rewriter.take(Buffer.from(piece), parser);
    if (!isOver) rewriter.takeFrames(parser.end());
    rewriter.end();
  } catch (error) {
    thrown = error;
    rewriter.flush();
  }
  return { said: Buffer.concat(written).toString('latin1'), meter: call.meter, thrown };
};

/** The same reader, of which nothing is known but that it reads. */
const everyFrame =
  ({ openReader }: Dialect) =>
  (): StreamReader => {
    const reader = openReader();
    return { read: (frame) => reader.read(frame), end: () => reader.end() };
  };

describe.each(pairs)('$upstream.name to $caller.name', (pair) => {
  test('a stream comes out with the same bytes and counts, whether or not frames alike are read, cut anywhere', () => {
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

  test('of frames alike two are read, however many there are', () => {
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

  test('a key never reaches the caller in a frame that is not read', () => {
    const [shape = ''] = pair.shapes;
    const texts = ['one ', 'two ', 'three ', `it is ${SECRET}`, `${SECRET}`];
    const pieces = texts.map((text) => Buffer.from(shape.replace('TEXT', text)));
    const { said } = rewritten(pair, pieces, pair.upstream.openReader) as { said: string };
    expect(said).not.toContain(SECRET);
    expect(said).toContain(`it is ${'*'.repeat(SECRET.length)}`);
  });
});
