import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Relay } from '../relay/ports.ts';
import type { Arrival } from './front-door-deps.ts';
import type { RelayBodies } from './relay-body.ts';
import { queryKey } from './relay-call.ts';
import { conversationAt, keptAt } from './relay-paths.ts';
import { NodeReply } from './relay-reply.ts';

/** Answers what is asked about responses and conversations that upstreams keep. False: the path is none of theirs. */
export const serveKept = (
  relay: Relay,
  bodies: RelayBodies,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, ip }: Arrival,
  path: string,
  query: string,
): boolean => {
  const { method = 'GET', headers } = request;
  const kept = keptAt(method, path);
  const asked = kept === undefined ? conversationAt(method, path) : undefined;
  if (kept === undefined && asked === undefined) return false;
  const reply = new NodeReply(response, requestId);
  const common = { query, headers, queryKey: queryKey(query), ip, requestId, reply };
  if (kept !== undefined) void relay.kept({ ...kept, ...common });
  if (asked === undefined) return true;
  let heldBytes = 0;
  const readBody = async (): Promise<Buffer> => {
    const bytes = await bodies.read(request);
    heldBytes = bytes.length;
    return bytes;
  };
  void relay.conversation({ ...asked, ...common, readBody }).then(() => bodies.release(heldBytes));
  return true;
};
