import { expect, test } from 'vitest';
import { SseParser } from '../dialects/sse.ts';
import { mask, maskFrame } from './mask.ts';

const SECRET = Buffer.from('sk-secret-0123456789');
const STARS = '*'.repeat(SECRET.length);

test('a key has stars in its place wherever it stands, and nothing else has changed', () => {
  const said = `${SECRET.toString()} and again "${SECRET.toString()}"`;
  expect(mask(Buffer.from(said), SECRET).toString()).toBe(`${STARS} and again "${STARS}"`);
});

test('a key of eight characters is one; what is shorter would be found everywhere', () => {
  expect(mask(Buffer.from('12345678'), Buffer.from('12345678')).toString()).toBe('********');
  expect(mask(Buffer.from('1234567'), Buffer.from('1234567')).toString()).toBe('1234567');
});

test.each([
  ['in one piece', (event: string) => [event]],
  ['cut in the middle of the key', (event: string) => [event.slice(0, 30), event.slice(30)]],
])(
  'an event of several lines that came %s shows no key, neither as it is sent nor as it is read',
  (_, cut) => {
    const parser = new SseParser();
    const event = `data: {"said":\ndata: "${SECRET.toString()}"}\n\n`;
    const frames = cut(event).flatMap((piece) => parser.feed(Buffer.from(piece)));
    for (const frame of frames) maskFrame(frame, SECRET);
    expect(frames.map(({ raw, data }) => [raw.toString(), data.toString()])).toEqual([
      [`data: {"said":\ndata: "${STARS}"}\n\n`, `{"said":\n"${STARS}"}`],
    ]);
  },
);
