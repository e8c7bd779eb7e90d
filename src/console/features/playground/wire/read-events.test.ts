import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents } from './read-events.ts';

const stream = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

const read = async (pieces: readonly Uint8Array[]): Promise<string[]> => {
  const events: string[] = [];
  for await (const data of readEvents(stream(pieces))) events.push(data);
  return events;
};

test('events are the same however their bytes are split', async () => {
  const bytes = new TextEncoder().encode(
    ': ping\r\n\r\ndata: {"a":"你好"}\r\n\r\nevent: x\ndata:b\ndata: c\n\n: PING\n\ndata: [DONE]\n\n',
  );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge));
      expect(await read(pieces)).toEqual(['{"a":"你好"}', 'b\nc', '[DONE]']);
    }),
  );
});

test('a last event without a blank line is still read', async () => {
  expect(await read([new TextEncoder().encode('data: last')])).toEqual(['last']);
});

test('a reader that stops early cancels the stream', async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: more\n\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const data of readEvents(endless)) {
    expect(data).toBe('more');
    break;
  }
  expect(isCancelled).toBe(true);
});
