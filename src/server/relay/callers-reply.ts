import { parsed } from '#contract/text.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';
import { WHOLE_BODY_MAX_BYTES } from './answer.ts';
import { isJsonReply } from './pass.ts';
import type { Upstream, UpstreamCall } from './ports.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A whole answer that is no chat, in its caller's format, where its upstream has another. */
export const callersReply = (
  sent: OutboundReply,
  upstream: Upstream,
  call: UpstreamCall,
  asked: Fields,
): OutboundReply => {
  if (upstream.readReply === undefined || call.operation === 'chat' || !isJsonReply(sent)) return sent;
  const { body } = sent;
  const { readReply } = upstream;
  async function* rewritten(): AsyncGenerator<Buffer> {
    const bytes = await readAll(body, WHOLE_BODY_MAX_BYTES);
    const reply = parsed(bytes?.toString() ?? '');
    // What cannot be read goes on as it is, and is told there.
    yield reply === undefined
      ? (bytes ?? Buffer.alloc(0))
      : Buffer.from(JSON.stringify(readReply(reply, call, asked)));
  }
  return { ...sent, body: { [Symbol.asyncIterator]: rewritten, discard: () => body.discard() } };
};
