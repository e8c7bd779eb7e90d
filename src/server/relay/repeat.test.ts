import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pieces } from '#core/outbound.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { SseParser } from '../dialects/sse.ts';
import { newMeter } from './meter.ts';
import { Outlet } from './outlet.ts';
import { repeat } from './repeat.ts';
import type { Running } from './running.ts';
import { Secrets } from '#core/secrets.ts';
import { cutAt, pairs, SECRET, streamOf } from './testing/alike-streams.ts';

const piecesOf = (pieces: readonly Buffer[]): Pieces => {
  const rest = pieces.map((piece) => Buffer.from(piece)).values();
  return { next: async () => rest.next() };
};

/** What the caller gets of a stream that comes in these pieces, and what was counted. */
const repeated = async (wire: Dialect, pieces: readonly Buffer[], checkReply?: Running['checkReply']) => {
  const written: Buffer[] = [];
  const reply = {
    started: true,
    write: (bytes: Buffer) => written.push(Buffer.from(bytes)) > 0,
    end: () => undefined,
  };
  const meter = newMeter();
  const running = {
    wire,
    meter,
    checkReply,
    secrets: new Secrets([SECRET]),
    outlet: new Outlet({ reply, framing: 'events' } as unknown as ConstructorParameters<typeof Outlet>[0], 0),
    asked: { facts: { wantsStreamUsage: false } },
    call: { reply },
  } as unknown as Running;
  const rest = piecesOf(pieces);
  const parser = new SseParser();
  const stream = { kind: 'stream', first: [], rest, parser, meter, discard: () => undefined } as const;
  const deps = { clock: { monotonic: () => 1, now: () => 1 } };
  const thrown: unknown = await repeat(deps, running, stream, () => undefined).catch(
    (error: unknown) => error,
  );
  return { said: Buffer.concat(written).toString('latin1'), meter, thrown };
};

/** Where words are looked for, every event is read. */
const everyEvent = (): undefined => undefined;

describe.each(pairs)('$upstream.name', (pair) => {
  const { upstream, shapes } = pair;

  test('a stream is repeated and counted the same, whether or not frames alike are read, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(streamOf(pair), fc.array(fc.nat(), { maxLength: 6 }), async (bytes, places) => {
        const pieces = cutAt(bytes, places);
        expect(await repeated(upstream, pieces)).toEqual(await repeated(upstream, pieces, everyEvent));
      }),
      { numRuns: 150 },
    );
  });

  test('of frames alike one is read, however many there are', async () => {
    const [shape = ''] = shapes;
    const frames = Array.from({ length: 50 }, (_, index) =>
      Buffer.from(shape.replace('TEXT', `word ${index} `)),
    );
    let taps = 0;
    const wire: Dialect = { ...upstream, tap: (frame) => ((taps += 1), upstream.tap(frame)) };
    const { said, meter } = await repeated(wire, frames);
    expect(said).toBe(Buffer.concat(frames).toString());
    expect(meter.outputBytes).toBe(40 * 8 + 10 * 7);
    expect(taps).toBeLessThan(5);
  });

  test('a key never reaches the caller in a frame that is not read', async () => {
    const [shape = ''] = shapes;
    const texts = ['one ', 'two ', 'three ', `it is ${SECRET}`, `${SECRET}`];
    const { said } = await repeated(
      upstream,
      texts.map((text) => Buffer.from(shape.replace('TEXT', text))),
    );
    expect(said).not.toContain(SECRET);
    expect(said).toContain(`it is ${'*'.repeat(SECRET.length)}`);
  });
});
