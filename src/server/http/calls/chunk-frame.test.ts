import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { chunkFrame, writeChunk } from './chunk-frame.ts';

test('a chunk of any length leaves in one step, framed the same, and tells whether there is room for another', () => {
  const sent: Buffer[] = [];
  const socket = new Writable({
    highWaterMark: 20_000,
    write: (bytes: Buffer, _, done) => {
      sent.push(bytes);
      done();
    },
    writev: (parts, done) => {
      sent.push(Buffer.concat(parts.map(({ chunk }) => chunk as Buffer)));
      done();
    },
  });
  for (const length of [1, 8192, 8193, 19_000, 30_000]) {
    const bytes = Buffer.alloc(length, 'text');
    expect(writeChunk(socket, bytes)).toBe(length < 20_000);
    expect(sent.splice(0)).toEqual([chunkFrame(bytes)]);
  }
});
