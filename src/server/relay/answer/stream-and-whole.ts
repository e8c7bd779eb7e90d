import type { Dialect } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { SseParser } from '../../dialects/sse.ts';
import type { UpstreamFormat } from '../request/format.ts';
import { upstreamFailed } from '#core/error.ts';

/**
 * Turns a stream into the whole reply that was asked for: some upstreams always stream. Undefined if it is not a chat
 * stream. Throws the error it ends with, or an error if it breaks off.
 */
export const streamAsWhole = (format: UpstreamFormat, bytes: Buffer): object | undefined => {
  if (!('openWriter' in format) || !/^\s*(?:data|event|id|:)/.test(bytes.toString('latin1', 0, 64)))
    return undefined;
  const parser = new SseParser();
  const reader = format.openReader();
  let isOver = false;
  const events = [...parser.feed(bytes), ...parser.end()].flatMap((frame) => {
    const tapped = format.tap(frame);
    isOver ||= tapped?.done === true || tapped?.finish !== undefined;
    return [...reader.read(frame)];
  });
  events.push(...reader.end());
  const failed = events.find((event) => event.type === 'error');
  if (failed?.type === 'error') throw failed.error;
  if (!isOver) throw upstreamFailed('the upstream broke off in the middle of its answer');
  return format.writeWhole(events) as object;
};

/** Turns a whole reply into the events of a stream, for upstreams that do not stream although asked to. */
export const wholeAsStream = (dialect: Dialect, body: unknown): Frame[] => {
  const writer = dialect.openWriter();
  const frames = dialect.readWhole(body).flatMap((event) => writer.write(event));
  return [...frames, ...writer.end()];
};
