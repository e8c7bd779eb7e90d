import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { type Fields, isFields, parsedFields } from '#core/json/fields.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import type { Frame } from '../../dialects/frame.ts';
import { SseParser, writeFrame } from '../../dialects/sse.ts';
import { answeredCall, heldCall } from '../testing/answered-call.ts';
import { pairs, SECRET, type Pair } from '../testing/alike-streams.ts';
import { maskingOf } from './mask.ts';
import { Rewriter } from './rewriter.ts';

/** If a stream is complete, its caller gets the end, however its upstream or a proxy damaged the rest. */

type Harm = (frames: readonly Frame[], at: number, other: number) => readonly Frame[];

const without = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => without(one, name));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (key === name ? [] : [[key, without(one, name)]])),
  );
};
/** Every event without its fields of this name, or one event. */
const lacking =
  (name: string, isOne = false): Harm =>
  (frames, at) =>
    frames.map((frame, index) => {
      const body: Fields | undefined = parsedFields(frame.data);
      if (body === undefined || (isOne && index !== at)) return frame;
      return writeFrame(JSON.stringify(without(body, name)), frame.event);
    });

const NAMES = ['index', 'type', 'delta', 'content_block', 'stop_reason', 'finish_reason', 'usage', 'message'];

const harms: Readonly<Record<string, Harm>> = {
  'an event dropped': (frames, at) => frames.toSpliced(at, 1),
  'two events swapped': (frames, at) => frames.toSpliced(at, 2, ...frames.slice(at, at + 2).toReversed()),
  'two far events swapped': (frames, at, other) => {
    const [one, two] = [frames[at], frames[other]];
    return one === undefined || two === undefined ? frames : frames.with(at, two).with(other, one);
  },
  'an event twice': (frames, at) => frames.toSpliced(at, 0, ...frames.slice(at, at + 1)),
  'its last events cut off': (frames, at) => [...frames.slice(0, at), ...frames.slice(-1)],
  ...Object.fromEntries(NAMES.map((name) => [`no ${name}`, lacking(name)])),
  ...Object.fromEntries(NAMES.map((name) => [`an event without ${name}`, lacking(name, true)])),
};

const framesOf = (bytes: Buffer): Frame[] => {
  const parser = new SseParser();
  return [...parser.feed(bytes), ...parser.end()];
};

/** What the caller gets of the stream; undefined if it is told of an error. */
const given = (pair: Pair, caller: Pair['caller'], frames: readonly Frame[]) => {
  const written: Buffer[] = [];
  const held = heldCall(caller, { write: (bytes) => written.push(Buffer.from(bytes)) > 0 });
  const call = answeredCall(held, pair.upstream, SECRET);
  const rewriter = new Rewriter(call, maskingOf(call.secrets));
  try {
    rewriter.takeFrames(framesOf(Buffer.concat(frames.map(({ raw }) => raw))));
    if (!call.live.meter.finished || !call.live.meter.produced) return undefined;
    rewriter.end();
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return undefined;
  }
  const end = call.live.outlet.takeEnd();
  return framesOf(Buffer.concat([...written, ...(end === undefined ? [] : [end])]));
};

const upstreams = [...new Map(pairs.map((pair) => [pair.upstream.name, pair])).values()];

const shownOf = (frames: readonly Frame[]): string => frames.map(({ raw }) => raw.toString()).join('');

describe.each(upstreams)('of a stream of $upstream.name', (pair) => {
  const callers = Object.values(chatDialects).filter(({ name }) => name !== pair.upstream.name);

  test.each(Object.entries(harms))(
    'with %s, the converted stream still ends in every other format',
    (_, harm) => {
      fc.assert(
        fc.property(pair.reply, fc.nat(30), fc.nat(30), (events, place, other) => {
          const writer = pair.upstream.openWriter();
          const frames = [...events.flatMap((event) => [...writer.write(event)]), ...writer.end()];
          const harmed = harm(frames, place % frames.length, other % frames.length);
          for (const caller of callers) {
            const got = given(pair, caller, harmed);
            if (got === undefined) continue;
            const taps = got.map((frame) => caller.tap(frame));
            const isEnded = taps.some((tapped) => tapped?.finish !== undefined);
            // Said only where it is wanted: to write both streams down takes as long as to convert one.
            expect(isEnded ? '' : `${caller.name}\n${shownOf(harmed)}\nwas\n${shownOf(got)}`).toBe('');
          }
        }),
        { numRuns: 80 },
      );
    },
  );
});

test('pieces of a tool call without a block index belong to the block that began last', () => {
  const [pair] = pairs;
  if (pair === undefined) throw new Error('no pair');
  const events = [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'I look.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 't', name: 'look', input: {} },
    },
    { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"at":"sea"}' } },
    { type: 'content_block_stop' },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const frames = events.map((event) => writeFrame(JSON.stringify(event), event.type));
  const got = shownOf(given(pair, chatDialects['openai-chat'], frames) ?? []);
  expect(got.match(/"arguments":"(?:[^"\\]|\\.)*"/g)).toEqual([
    '"arguments":""',
    String.raw`"arguments":"{\"at\":\"sea\"}"`,
  ]);
  expect(got).toContain('"finish_reason":"tool_calls"');
});
