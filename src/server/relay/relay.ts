import { AppError, asAppError } from '#core/error.ts';
import { createReplyCheck, type ReplyCheck } from '#core/words/check-reply.ts';
import { createWordCheck, type WordCheck } from '#core/words/check-words.ts';
import { admit } from './admit.ts';
import { answered } from './attempt.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import { ChannelHealth } from './channel-health.ts';
import { createCountTokens } from './count-tokens.ts';
import { FormatGaps } from './format-gaps.ts';
import { hold } from './hold.ts';
import { BackgroundResponses } from './kept/background-responses.ts';
import { createConversationCalls } from './kept/conversation-calls.ts';
import { findKept } from './kept/find-kept.ts';
import { createKeptCalls } from './kept/kept-calls.ts';
import { KeptResponses } from './kept/kept-responses.ts';
import { LiveCalls, restarting } from './live-calls.ts';
import type { Relay, RelayCall, RelayDeps } from './ports.ts';
import { pass } from './pass.ts';
import { readRequest } from './read-request.ts';
import { createRealtime } from './realtime/realtime.ts';
import { refuse } from './refuse.ts';
import { repeat } from './repeat.ts';
import { convertWhole, isRewritten, rewrite } from './rewrite.ts';
import { Running } from './running.ts';
import { settle } from './settle.ts';
import { holdPictures, settlePictures } from './tool-pictures.ts';
import { createTokenCache } from './token-cache.ts';
import { createTokenReads } from './token-reads.ts';
import { refuseInexpressible } from './refusal.ts';

type Parts = RelayDeps & {
  readonly authenticate: Authenticate;
  readonly health: ChannelHealth;
  readonly live: LiveCalls;
  readonly checkWords: WordCheck;
  readonly openReplyCheck: ReplyCheck;
  readonly gaps: FormatGaps;
  readonly kept: KeptResponses;
  readonly background: BackgroundResponses;
};

/** A call from its bytes to its answer. Throws what is wrong, for whoever tells the caller. */
const run = async (parts: Parts, running: Running): Promise<void> => {
  const { call, wire } = running;
  if (parts.live.isStopping) throw restarting();
  const caller = call.playground ? playgroundCaller(parts, call) : parts.authenticate(call);
  running.caller = caller instanceof Promise ? await caller : caller;
  const asked = readRequest(call, wire, await call.readBody());
  running.asked = asked;
  parts.metrics.opened(asked.facts.stream);
  await admit(parts, running, asked.group);
  refuseInexpressible(parts, running);
  await findKept(parts, running);
  await hold(parts, running);
  await holdPictures(parts, running);
  if (running.isBackground) await parts.background.begin(running);
  if (asked.facts.stream) running.allowPings(parts.clock.monotonic());
  const answer = await answered(parts, parts.health, running);
  const converted = answer.kind === 'whole' ? convertWhole(running, answer) : undefined;
  parts.kept.note(running, answer);
  if (running.isBackground) await parts.kept.flush();
  running.meter = answer.meter;
  running.firstByteMs = parts.clock.monotonic() - running.startedMs;
  if (running.isBackground) await parts.background.taken(running, answer);
  running.checkReply = parts.openReplyCheck(running.routing.options, reportTo(parts, running));
  if (answer.kind === 'stream') {
    if (isRewritten(running)) return rewrite(parts, running, answer, parts.live.checkpoint);
    await repeat(parts, running, answer, parts.live.checkpoint);
    call.reply.end();
    return;
  }
  if (answer.kind === 'bytes') return pass(parts, running, answer);
  running.reply = answer.body;
  running.checkReply?.(converted === undefined ? answer.body : JSON.parse(converted.toString()));
  // What a whole reply costs is written down before it is given away.
  await settle(parts, running);
  await settlePictures(parts, running);
  const bytes = converted ?? answer.bytes;
  // Some upstreams answer 201; in the caller's format an answer is 200.
  call.reply.start(converted === undefined ? answer.status : 200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  });
  call.reply.end(bytes);
};

const reportTo =
  ({ log }: Parts, { call }: Running) =>
  (word: string): void =>
    log.warn('a reply has a sensitive word', { word, requestId: call.requestId });

const playgroundCaller = async (parts: Parts, { headers }: RelayCall): Promise<Running['caller']> => ({
  user: await parts.playgroundUser(headers),
  token: undefined,
  channelId: undefined,
});

/** Runs a call and ends it, whatever happened: the caller is told, the hold is closed, the call is counted. */
const serve = async (parts: Parts, call: RelayCall): Promise<void> => {
  const { clock, live, metrics } = parts;
  const running = new Running(
    call,
    call.operation === 'chat' ? parts.dialects[call.dialect] : parts.wires[call.operation],
    parts.routing(),
    clock.now(),
    clock.monotonic(),
  );
  call.reply.onGone = () => running.stop(new AppError('client_closed', 'the caller went away'));
  running.gaps = parts.gaps;
  live.add(running);
  try {
    await run(parts, running);
  } catch (thrown) {
    running.failure = asAppError(thrown);
    refuse(parts, running, running.failure);
  }
  parts.kept.noteItems(running);
  if (running.isBackground) await parts.background.end(running, () => settle(parts, running));
  else await settle(parts, running);
  await settlePictures(parts, running);
  live.delete(running);
  const outcome = running.failure?.code ?? 'ok';
  const stream = running.asked?.facts.stream;
  if (stream === undefined) metrics.refused(outcome);
  else metrics.closed(stream, outcome, clock.monotonic() - running.startedMs, running.firstByteMs);
};

/** `authenticate` says who calls, for what is answered elsewhere; `background` charges responses that are over by now. */
export type WholeRelay = Relay & {
  readonly authenticate: Authenticate;
  readonly background: { run(): Promise<void> };
};

/** The data plane. */
export const createRelay = (deps: RelayDeps): WholeRelay => {
  const tokens = createTokenCache(deps);
  const authenticate = createAuthenticate(deps, tokens);
  const live = new LiveCalls(deps);
  const parts: Parts = {
    ...deps,
    authenticate,
    live,
    health: new ChannelHealth(),
    checkWords: createWordCheck(),
    openReplyCheck: createReplyCheck(),
    gaps: new FormatGaps(),
    kept: new KeptResponses(deps.keptResponses, deps.log),
    background: new BackgroundResponses(deps),
  };
  const { connectSocket: connect } = deps;
  const realtime = connect && createRealtime({ ...parts, connect });
  const keptCalls = createKeptCalls(parts);
  const conversationCalls = createConversationCalls(parts);
  return {
    authenticate,
    ...(realtime !== undefined && { realtime: realtime.serve }),
    serve: (call) => serve(parts, call),
    read: createTokenReads(deps, authenticate),
    count: createCountTokens(deps, authenticate),
    kept: keptCalls.serve,
    conversation: conversationCalls.serve,
    background: parts.background,
    invalidateToken: (tokenId) => tokens.invalidateToken(tokenId),
    invalidateUser: (userId) => tokens.invalidateUser(userId),
    stop: async (graceMs) => {
      await Promise.all([live.stop(graceMs), realtime?.stop()]);
      keptCalls.stop();
      conversationCalls.stop();
      await parts.kept.flush();
    },
  };
};
