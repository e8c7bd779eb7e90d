import type { ExplainCall } from '#core/channel/selection/explain-call.ts';
import type { PreviewRequest } from '#core/channel/sample-call.ts';
import type { TestChannel } from '#core/channel/channel-test.ts';
import type { AppError } from '#core/error.ts';
import { createCountTokens } from './caller/count-tokens.ts';
import { createConversationCalls } from './conversation-calls.ts';
import { createKeptCalls } from './kept/kept-calls.ts';
import { createParts, type Parts, type SharedPart } from './parts.ts';
import type { Relay, RelayDeps } from './ports.ts';
import { createRealtime } from './realtime/realtime.ts';
import { serve } from './relay.ts';
import { createResponses } from './responses/responses.ts';
import { createExplain } from './route/explain-call.ts';
import { createPreview } from './route/preview-request.ts';
import { createChannelTest } from './route/test-channel.ts';
import type { SessionAffinity } from './route/session-affinity.ts';
import { createTokenCache } from './caller/token-cache.ts';
import { createTokenReads } from './caller/token-reads.ts';

/** The relay, and what the rest of the server reads from it; `background` charges responses that have finished. */
export type WholeRelay = Relay & {
  readonly parts: Pick<Parts, SharedPart>;
  /** Which channel each session is bound to. */
  readonly affinity: Pick<SessionAffinity, 'counts' | 'forget'>;
  readonly background: { run(): Promise<void>; isHeard(holdId: string): boolean };
  readonly testChannel: TestChannel;
  readonly preview: PreviewRequest;
  readonly explain: ExplainCall;
  /** Ends every running call with this error; new calls are still accepted. */
  endCalls(why: AppError): void;
  /** Loads what earlier runs stored about sessions. */
  start(): Promise<void>;
  /** Writes pending records of where responses are kept. */
  writeKept(): Promise<void>;
};

/** The data plane: calls (`relay.ts`) and every other request made with a token. */
export const createRelay = (deps: RelayDeps): WholeRelay => {
  const tokens = createTokenCache(deps);
  const parts = createParts(deps, tokens);
  const { authenticate, live } = parts;
  const { connectSocket: connect } = deps;
  const realtime = connect && createRealtime({ ...parts, connect });
  const responses = createResponses(parts, (call) => serve(parts, call));
  const keptCalls = createKeptCalls(parts);
  const conversationCalls = createConversationCalls(parts);
  return {
    parts,
    affinity: parts.affinity,
    ...(realtime !== undefined && { realtime: realtime.serve }),
    responses: responses.serve,
    serve: (call) => serve(parts, call),
    read: createTokenReads(deps, authenticate, tokens),
    count: createCountTokens(deps, authenticate),
    kept: keptCalls.serve,
    conversation: conversationCalls.serve,
    background: parts.background,
    testChannel: createChannelTest(parts),
    preview: createPreview(parts),
    explain: createExplain(parts),
    invalidateToken: (tokenId) => tokens.invalidateToken(tokenId),
    invalidateUser: (userId) => tokens.invalidateUser(userId),
    start: () => parts.affinity.load(),
    writeKept: () => parts.kept.flush(),
    endCalls: (why) => {
      live.endAll(why);
      realtime?.endAll();
    },
    stop: async (graceMs) => {
      await Promise.all([live.stop(graceMs), realtime?.stop(), responses.stop()]);
      keptCalls.stop();
      conversationCalls.stop();
      await Promise.all([
        parts.kept.flush(),
        parts.affinity.flush(),
        parts.evidence.flush(),
        parts.availability.flush(),
      ]);
      await parts.evidence.flush();
      await deps.farThreads?.close();
    },
  };
};
