import { createReplyCheck, type ReplyCheck } from '#core/words/check-reply.ts';
import { createWordCheck, type WordCheck } from '#core/words/check-words.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import { ChannelHealth } from './channel-health.ts';
import { FormatGaps } from './format-gaps.ts';
import { BackgroundResponses } from './kept/background-responses.ts';
import { KeptResponses } from './kept/kept-responses.ts';
import { LiveCalls } from './live-calls.ts';
import type { RelayDeps } from './ports.ts';
import { RefusalLog } from './refusal-log.ts';
import type { TokenCache } from './token-cache.ts';

/** What the steps of a call share: the ports, and what the relay remembers from one call to the next. */
export type Parts = RelayDeps & {
  readonly authenticate: Authenticate;
  readonly health: ChannelHealth;
  readonly live: LiveCalls;
  readonly checkWords: WordCheck;
  readonly openReplyCheck: ReplyCheck;
  readonly gaps: FormatGaps;
  readonly kept: KeptResponses;
  readonly background: BackgroundResponses;
  readonly refusals: RefusalLog;
};

/** Everything of it begins empty: what must outlive the process is behind the ports. */
export const createParts = (deps: RelayDeps, tokens: TokenCache): Parts => ({
  ...deps,
  authenticate: createAuthenticate(deps, tokens),
  health: new ChannelHealth(),
  live: new LiveCalls(deps),
  checkWords: createWordCheck(),
  openReplyCheck: createReplyCheck(),
  gaps: new FormatGaps(),
  kept: new KeptResponses(deps.keptResponses, deps.log),
  background: new BackgroundResponses(deps),
  refusals: new RefusalLog(deps),
});
