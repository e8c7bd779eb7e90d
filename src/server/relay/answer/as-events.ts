import type { OutboundBody, OutboundReply } from '#core/outbound/outbound.ts';
import type { Frame } from '../../dialects/frame.ts';
import { arrayAsEvents } from '../../dialects/gemini/reply/read-json-array.ts';
import { isJsonReply } from './pass.ts';
import type { Accepted } from '../stages.ts';

/** A stream in another framing, converted to server-sent events. */
export const asEvents = ({ reply, upstream, format }: Accepted): OutboundReply => {
  const { body } = reply;
  const { frames } = upstream;
  if (frames !== undefined) return { ...reply, body: bodyOf(body, () => rawOf(frames(body))) };
  // Some upstreams answer Gemini streams as one JSON list, whatever was requested.
  if (format.name !== 'gemini' || !isJsonReply(reply)) return reply;
  return { ...reply, body: bodyOf(body, () => arrayAsEvents(body)) };
};

const bodyOf = (body: OutboundBody, pieces: () => AsyncIterator<Buffer>): OutboundBody => ({
  [Symbol.asyncIterator]: pieces,
  discard: () => body.discard(),
});

async function* rawOf(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const { raw } of frames) yield raw;
}
