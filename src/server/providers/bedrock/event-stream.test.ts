import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32 } from 'node:zlib';
import { readBedrockFrames, readMessages, type EventMessage } from './event-stream.ts';
import { encodeMessage } from '../../../simulator/chats/event-stream.ts';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}
const chunk = (event: unknown): Buffer =>
  encodeMessage(
    { ':message-type': 'event', ':event-type': 'chunk', ':content-type': 'application/json' },
    JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abc' }),
  );

describe("AWS's event stream", () => {
  test('reads back what was framed, wherever it is cut', async () => {
    const message = fc.record({
      headers: fc.dictionary(fc.stringMatching(/^:?[a-z]{1,12}$/), fc.string({ maxLength: 20 })),
      payload: fc.string({ maxLength: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 4 }),
        fc.integer({ min: 1, max: 50 }),
        async (list, size) => {
          const bytes = Buffer.concat(list.map(({ headers, payload }) => encodeMessage(headers, payload)));
          const read: EventMessage[] = await Array.fromAsync(readMessages(chunksOf(bytes, size)));
          expect(
            read.map(({ headers, payload }) => ({ headers: { ...headers }, payload: payload.toString() })),
          ).toEqual(list.map(({ headers, payload }) => ({ headers: { ...headers }, payload })));
        },
      ),
    );
  });

  test('a damaged byte, a wrong length and a truncated message are errors, not data', async () => {
    const good = chunk({ type: 'ping' });
    for (const at of [0, 3, 9, 13, 40, good.length - 1]) {
      const bad = Buffer.from(good);
      bad.writeUInt8(bad.readUInt8(at) ^ 0x41, at);
      await expect(Array.fromAsync(readMessages(chunksOf(bad, 16)))).rejects.toMatchObject({
        code: 'upstream_failed',
      });
    }
    await expect(Array.fromAsync(readMessages(chunksOf(good.subarray(0, -1), 16)))).rejects.toMatchObject({
      code: 'upstream_failed',
    });
    const long = Buffer.alloc(12);
    long.writeUInt32BE(0xfffffff0, 0);
    long.writeUInt32BE(crc32(long.subarray(0, 8)), 8);
    await expect(Array.fromAsync(readMessages(chunksOf(long, 12)))).rejects.toMatchObject({
      code: 'upstream_failed',
    });
  });

  test('chunks become the events they hold, an exception becomes an error event', async () => {
    const bytes = Buffer.concat([
      chunk({ type: 'message_start', message: { id: 'm' } }),
      encodeMessage(
        { ':message-type': 'exception', ':exception-type': 'throttlingException' },
        '{"message":"slow down"}',
      ),
    ]);
    const frames = await Array.fromAsync(readBedrockFrames(chunksOf(bytes, 7)));
    expect(frames.map(({ raw }) => raw.toString())).toEqual([
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}\n\n',
      'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}\n\n',
    ]);
  });
});
