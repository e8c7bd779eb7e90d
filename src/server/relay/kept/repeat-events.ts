import { AwakeTimer } from '#core/awake-timer.ts';
import { AppError } from '#core/error.ts';
import type { OutboundBody } from '#core/outbound.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Frame } from '../../dialects/frame.ts';
import { SseParser } from '../../dialects/sse.ts';
import { maskFrame } from '../mask.ts';
import type { Reply } from '../ports.ts';

const STALLED_MS = 60_000;

/**
 * Repeats events as they come, no faster than they are read; a reader that stands still for a minute is cut off.
 * @param before called with each event before it is given away
 */
export const repeatEvents = async (
  reply: Reply,
  body: OutboundBody,
  secrets: Secrets,
  before?: (frame: Frame) => Promise<void>,
): Promise<void> => {
  const parser = new SseParser();
  reply.start(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  try {
    for await (const chunk of body) {
      let hasRoom = true;
      for (const frame of parser.feed(chunk)) {
        maskFrame(frame, secrets);
        await before?.(frame);
        hasRoom = reply.write(frame.raw);
      }
      if (!hasRoom) await drained(reply);
      if (reply.gone) throw new AppError('client_closed', 'the caller went away');
    }
  } catch (thrown) {
    body.discard();
    throw thrown;
  }
  reply.end();
};

const drained = async (reply: Reply): Promise<void> => {
  const timer = new AwakeTimer(STALLED_MS, () => reply.cut());
  await reply.drained();
  timer.stop();
};
