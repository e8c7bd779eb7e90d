import './websocket-masks.ts';
import { spawnSync } from 'node:child_process';
import type { Writable } from 'node:stream';
import { Receiver, Sender } from 'ws';
import { expect, test } from 'vitest';

/** What the library exports and its types leave out. */
declare module 'ws' {
  export const Receiver: new (options: { isServer: boolean }) => Writable;
  export const Sender: { frame(data: Buffer, options: object): Buffer[] };
}

const MASK = [0x1f, 0x00, 0xfe, 0x80];

const setMask = (mask: Buffer): void => mask.set(MASK);

/** What RFC 6455, section 5.3, makes of these bytes. */
const xored = (bytes: Uint8Array): number[] => [...bytes].map((byte, at) => byte ^ (MASK[at % 4] ?? 0));

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 31) % 251);

/** The same bytes, beginning so far into their memory. */
const placedAt = (offset: number, bytes: Uint8Array): Buffer => {
  const memory = Buffer.alloc(offset + bytes.length);
  memory.set(bytes, offset);
  return memory.subarray(offset);
};

const framed = (data: Buffer): Buffer =>
  Buffer.concat(
    Sender.frame(data, {
      fin: true,
      opcode: 2,
      mask: true,
      readOnly: true,
      generateMask: setMask,
    }),
  );

const LENGTHS = [0, 1, 23, 24, 25, 63, 64, 65, 66, 67, 68, 125, 126, 1000, 65_535, 65_536, 70_003];

test('frames are masked as the protocol says, wherever they lie in memory and however long they are', () => {
  for (const length of LENGTHS)
    for (const offset of [0, 1, 2, 3, 4, 7]) {
      const bytes = bytesOf(length);
      const data = placedAt(offset, bytes);
      const frame = framed(data);
      expect(frame.subarray(frame.length - length).equals(Buffer.from(xored(bytes)))).toBe(true);
      expect(data.equals(bytes)).toBe(true);
    }
});

test('and are unmasked to what was sent, in whatever pieces they arrive', async () => {
  for (const length of LENGTHS.slice(1))
    for (const piece of [1021, 1 << 20]) {
      const bytes = bytesOf(length);
      const frame = framed(Buffer.from(bytes));
      const receiver = new Receiver({ isServer: true });
      const arrived = new Promise<Buffer>((resolve) => receiver.once('message', resolve));
      for (let at = 0; at < frame.length; at += piece) receiver.write(frame.subarray(at, at + piece));
      expect((await arrived).equals(bytes)).toBe(true);
    }
});

/** Prints how often the library reads the mask of a long frame. */
const countReads = `
  import './src/server/websocket-masks.ts';
  import { Sender } from 'ws';
  let reads = 0;
  const get = (mask, name) => { reads += 1; return Reflect.get(mask, name); };
  const maskBuffer = new Proxy(Buffer.from([31, 0, 254, 128]), { get });
  Sender.frame(Buffer.alloc(100_000), { fin: true, opcode: 2, mask: true, readOnly: true, generateMask() {}, maskBuffer });
  console.log(reads);
`;

// In a process of its own: another test of this one may have loaded the library before.
test('the library goes by words and not by bytes: it reads the mask a few times for a long frame', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', countReads], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(100);
});
