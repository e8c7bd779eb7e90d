import { event, replyAt, streamAt } from './formats.ts';
import type { HeavyAnswer, HeavyCall } from './call.ts';
import { CHAT, HALF_MEGABYTE, json, many, MEGABYTE, prose, SOURCES, sources } from './texts.ts';

/** Streams larger than any upstream sends. */

const streamed = (
  name: string,
  model: keyof typeof SOURCES,
  answer: (path: string) => HeavyAnswer,
): HeavyCall => ({
  name: `${name}, ${SOURCES[model]}`,
  path: CHAT,
  body: () => json({ model, max_tokens: 16, stream: true, messages: [{ role: 'user', content: 'x' }] }),
  answer,
});

const EVENTS = 1_000_000;

export const heavyStreams: readonly HeavyCall[] = sources.flatMap((model) => [
  ...(['7,000,000', '500,000'] as const).map((size) =>
    streamed(`an event of ${size} bytes`, model, (path) => ({
      body: streamAt(path, [prose(Number(size.replaceAll(',', '')))]),
    })),
  ),
  streamed('an event of 7,000,000 \\"', model, (path) => ({
    body: streamAt(path, ['"'.repeat(3_500_000)]),
  })),
  streamed('an event of 500 KB of \\u0001', model, (path) => ({
    body: streamAt(path, ['\u0001'.repeat(HALF_MEGABYTE / 6)]),
  })),
  streamed('20 events of 500,000 bytes', model, (path) => ({
    body: streamAt(
      path,
      many(20, () => prose(500_000)),
    ),
  })),
  streamed('an event of 250,000 numbers', model, (path) => ({
    body: Buffer.concat([
      Buffer.from(event({ ...replyAt(path, 'x'), more: many(HALF_MEGABYTE / 2, () => 0) })),
      streamAt(path, ['x']),
    ]),
  })),
  streamed('200,000 events alike', model, (path) => ({
    body: streamAt(
      path,
      many(200_000, () => 'word '),
    ),
  })),
  streamed('100,000 events unlike', model, (path) => ({
    body: Buffer.from(
      many(
        50_000,
        (at) => event({ ...replyAt(path, 'x'), [`n${at}`]: 1, usage: null }) + event({ at, [`n${at}`]: 1 }),
      ).join('') + streamAt(path, ['x']).toString(),
    ),
  })),
  streamed(`${EVENTS} empty events`, model, (path) => ({
    body: Buffer.from('data:\n\n'.repeat(EVENTS) + streamAt(path, ['x']).toString()),
  })),
  streamed(`${EVENTS} comments`, model, (path) => ({
    body: Buffer.from(':\n\n'.repeat(EVENTS) + streamAt(path, ['x']).toString()),
  })),
  streamed('7 MB of line breaks', model, (path) => ({
    body: Buffer.from('\n'.repeat(7 * MEGABYTE) + streamAt(path, ['x']).toString()),
  })),
  streamed('an event of 1,000,000 lines', model, (path) => ({
    body: Buffer.from(`${streamAt(path, ['x']).toString()}${'data:\n'.repeat(1_000_000)}\n`),
  })),
  streamed('an event of 1,000,000 lines at first', model, (path) => ({
    body: Buffer.from(`${'data:\n'.repeat(1_000_000)}\n${streamAt(path, ['x']).toString()}`),
  })),
  streamed('a line of 60 MB', model, () => ({ body: Buffer.alloc(60 * MEGABYTE, 'data: x') })),
  streamed('a line of 60 MB behind the first event', model, (path) => ({
    body: Buffer.concat([
      Buffer.from(streamAt(path, ['x', 'x']).toString().split('\n\n').slice(0, 3).join('\n\n')),
      Buffer.from('\n\ndata: '),
      Buffer.alloc(60 * MEGABYTE, 'x'),
    ]),
  })),
  streamed('30 KB of headers', model, (path) => ({
    headers: Object.fromEntries(many(400, (at) => [`x-${at}`, prose(50)])),
    body: streamAt(path, ['x']),
  })),
]);
