import { expect, it } from 'vitest';
import { SOUND_HEAD_BYTES, SoundLength } from './sound-length.ts';

const chunk = (id: string, body: Buffer, length = body.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, body]);
};
const format = (more = 0, tag = 1): Buffer => {
  const body = Buffer.alloc(16 + more);
  body.writeUInt16LE(tag, 0);
  body.writeUInt16LE(1, 2);
  body.writeUInt32LE(16_000, 4);
  body.writeUInt32LE(32_000, 8);
  body.writeUInt16LE(2, 12);
  body.writeUInt16LE(16, 14);
  return body;
};
const extensible = (): Buffer => {
  const body = format(24, 0xfffe);
  Buffer.from('0100000000001000800000aa00389b71', 'hex').copy(body, 24);
  return body;
};
const riff = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([chunk('RIFF', Buffer.from('WAVE'), 0xffff_ffff), ...chunks]);
const samples = (seconds: number, said?: number): Buffer =>
  chunk('data', Buffer.alloc(32_000 * seconds), said);
const secondsOf = (file: Buffer): number => {
  const sound = new SoundLength(file.subarray(0, SOUND_HEAD_BYTES));
  sound.push(file);
  return sound.end();
};

it.each([
  ['the usual head', riff(chunk('fmt ', format()), samples(60))],
  ['a longer format', riff(chunk('fmt ', format(2)), samples(60))],
  ['the extensible format', riff(chunk('fmt ', extensible()), samples(60))],
  [
    'the name of a program before the samples',
    riff(chunk('fmt ', format()), chunk('LIST', Buffer.alloc(26)), samples(60)),
  ],
  [
    'a part of odd length',
    riff(chunk('fmt ', format()), chunk('LIST', Buffer.alloc(5)), Buffer.alloc(1), samples(60)),
  ],
  ['no length, as of a stream', riff(chunk('fmt ', format()), samples(60, 0xffff_ffff))],
  ['a length of nothing', riff(chunk('fmt ', format()), samples(60, 0))],
])('a minute of samples is 60 seconds and nothing more, after %s', (_, file) => {
  expect(secondsOf(file)).toBe(60);
});

it('a part that says it is long takes no more than the least head from the samples', () => {
  const file = riff(chunk('fmt ', format()), chunk('LIST', Buffer.alloc(26), 32_000 * 50), samples(60));
  expect(secondsOf(file)).toBeGreaterThanOrEqual(60);
});
