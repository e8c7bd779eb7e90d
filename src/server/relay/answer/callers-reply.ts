import { parsed } from '#contract/text.ts';
import type { Fields } from '#core/json/fields.ts';
import type { Upstream, UpstreamCall } from '../../dialects/upstream.ts';

/** Writes a whole answer in its caller's format. */
export type ReplyWriter = (bytes: Buffer) => Buffer;

/** Returns the writer for a JSON answer that is not a chat; undefined if the upstream uses the caller's format. */
export const callersReply = (
  upstream: Upstream,
  call: UpstreamCall,
  asked: Fields,
): ReplyWriter | undefined => {
  const read = call.operation === 'chat' ? undefined : upstream.offers[call.operation]?.read;
  if (read === undefined) return undefined;
  return (bytes) => {
    const reply = parsed(bytes.toString());
    // If it cannot be parsed it is passed on unchanged, and the error is reported there.
    return reply === undefined ? bytes : Buffer.from(JSON.stringify(read(reply, call, asked)));
  };
};
