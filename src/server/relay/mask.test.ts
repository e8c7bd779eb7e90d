import { expect, test } from 'vitest';
import { Secrets } from '#core/secrets.ts';
import { SseParser } from '../dialects/sse.ts';
import { maskFrame } from './mask.ts';

const SECRET = 'sk-secret-0123456789';
const STARS = '*'.repeat(SECRET.length);

test.each([
  ['in one piece', (event: string) => [event]],
  ['cut in the middle of the key', (event: string) => [event.slice(0, 30), event.slice(30)]],
])(
  'an event of several lines that came %s shows no key, neither as it is sent nor as it is read',
  (_, cut) => {
    const parser = new SseParser();
    const event = `data: {"said":\ndata: "${SECRET}"}\n\n`;
    const frames = cut(event).flatMap((piece) => parser.feed(Buffer.from(piece)));
    for (const frame of frames) maskFrame(frame, new Secrets([SECRET]));
    expect(frames.map(({ raw, data }) => [raw.toString(), data.toString()])).toEqual([
      [`data: {"said":\ndata: "${STARS}"}\n\n`, `{"said":\n"${STARS}"}`],
    ]);
  },
);
