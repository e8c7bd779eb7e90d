import { answerLost } from '#core/error.ts';
import type { AuthorizeTools, OutboundRequest } from '#core/outbound/outbound.ts';
import { readLarge } from '../shared/reply/audio-reply.ts';

/**
 * Fetches what was made for a request. It is at another host, and its URL is already signed, so the key is not sent there.
 * Throws if it cannot be fetched.
 */
export const fetchMade = async (
  request: OutboundRequest,
  url: string,
  tools: AuthorizeTools,
): Promise<Buffer> => {
  const { body: _, ...rest } = request;
  const reply = await tools.send({ ...rest, method: 'GET', url, headers: { accept: '*/*' } }, tools.signal);
  const made = reply.status === 200 ? await readLarge(reply, tools) : undefined;
  if (made !== undefined) return made;
  if (reply.status !== 200) reply.body.discard();
  // Not with that host's status: it says nothing of the key.
  throw answerLost('what was made could not be fetched');
};
