import type { AppError } from '#core/error.ts';
import { createCountTokens } from './count-tokens.ts';
import { createConversationCalls } from './kept/conversation-calls.ts';
import { createKeptCalls } from './kept/kept-calls.ts';
import { createParts } from './parts.ts';
import type { Relay, RelayDeps } from './ports.ts';
import type { Authenticate } from './authenticate.ts';
import { createRealtime } from './realtime/realtime.ts';
import { serve } from './relay.ts';
import { createTokenCache } from './token-cache.ts';
import { createTokenReads } from './token-reads.ts';

/** `authenticate` says who calls, for what is answered elsewhere; `background` charges responses that are over by now. */
export type WholeRelay = Relay & {
  readonly authenticate: Authenticate;
  readonly background: { run(): Promise<void> };
  /** Ends every call that is running with this error; new ones go on. */
  endCalls(why: AppError): void;
};

/** The data plane: calls (`relay.ts`), and everything else that is asked for with a token. */
export const createRelay = (deps: RelayDeps): WholeRelay => {
  const tokens = createTokenCache(deps);
  const parts = createParts(deps, tokens);
  const { authenticate, live } = parts;
  const { connectSocket: connect } = deps;
  const realtime = connect && createRealtime({ ...parts, connect });
  const keptCalls = createKeptCalls(parts);
  const conversationCalls = createConversationCalls(parts);
  return {
    authenticate,
    ...(realtime !== undefined && { realtime: realtime.serve }),
    serve: (call) => serve(parts, call),
    read: createTokenReads(deps, authenticate, tokens),
    count: createCountTokens(deps, authenticate),
    kept: keptCalls.serve,
    conversation: conversationCalls.serve,
    background: parts.background,
    invalidateToken: (tokenId) => tokens.invalidateToken(tokenId),
    invalidateUser: (userId) => tokens.invalidateUser(userId),
    endCalls: (why) => {
      live.endAll(why);
      realtime?.endAll();
    },
    stop: async (graceMs) => {
      await Promise.all([live.stop(graceMs), realtime?.stop()]);
      keptCalls.stop();
      conversationCalls.stop();
      await parts.kept.flush();
      await deps.farThreads?.close();
    },
  };
};
