import { SseParser } from '../dialects/sse.ts';
import type { UpstreamFormat } from './format.ts';
import { upstreamFailed } from './upstream-failed.ts';

/**
 * A stream as the whole reply that was asked for: some upstreams stream whatever they are asked. Undefined for what is
 * no stream, or none of a chat. Throws the error it ends with, and where it breaks off.
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
