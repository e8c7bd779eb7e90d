import type { Relay } from '../relay/ports.ts';
import type { RelayHandler } from './front-door-deps.ts';
import { CountedBody, type RelayBodies } from './relay-body.ts';
import { queryKey } from './front-call.ts';
import { conversationAt, keptAt } from './relay-paths.ts';
import { NodeReply } from './relay-reply.ts';

/** Answers what is asked about responses and conversations that upstreams keep. False: the path is none of theirs. */
export const createKeptRoutes =
  (relay: Relay, bodies: RelayBodies): RelayHandler<boolean> =>
  (request, response, arrival, path, query) => {
    const { requestId, ip } = arrival;
    const { method = 'GET', headers } = request;
    const kept = keptAt(method, path);
    const asked = kept === undefined ? conversationAt(method, path) : undefined;
    if (kept === undefined && asked === undefined) return false;
    const reply = new NodeReply(response, requestId);
    const common = { query, headers, queryKey: queryKey(query), ip, requestId, reply };
    if (kept !== undefined) void relay.kept({ ...kept, ...common });
    if (asked === undefined) return true;
    const body = new CountedBody(bodies, request, arrival);
    const readBody = (userId: number): Promise<Buffer> => body.read(userId);
    void relay.conversation({ ...asked, ...common, readBody }).then(() => body.release());
    return true;
  };
