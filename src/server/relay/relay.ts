import { AppError, asAppError } from '#core/error.ts';
import { admit } from './admit.ts';
import { answered } from './attempt.ts';
import { createAuthenticate } from './authenticate.ts';
import { ChannelHealth } from './channel-health.ts';
import { hold } from './hold.ts';
import { LiveCalls } from './live-calls.ts';
import type { Relay, RelayCall, RelayDeps } from './ports.ts';
import { readRequest } from './read-request.ts';
import { refuse } from './refuse.ts';
import { repeat } from './repeat.ts';
import { Running } from './running.ts';
import { settle } from './settle.ts';
import { createTokenCache } from './token-cache.ts';
import { createTokenReads } from './token-reads.ts';

/** The data plane. A call goes through it in one sentence: `run`. */
export const createRelay = (deps: RelayDeps): Relay => {
  const tokens = createTokenCache(deps);
  const authenticate = createAuthenticate(deps, tokens);
  const health = new ChannelHealth();
  const live = new LiveCalls(deps);

  const run = async (running: Running): Promise<void> => {
    const { call, wire } = running;
    if (live.isStopping)
      throw new AppError('unavailable', 'the server is restarting, try again', { retryAfterSeconds: 5 });
    const caller = call.playground
      ? { user: await deps.playgroundUser(call.headers), token: undefined, channelId: undefined }
      : authenticate(call);
    running.caller = caller instanceof Promise ? await caller : caller;
    const asked = readRequest(call, wire, await call.readBody());
    running.asked = asked;
    deps.meter.opened(asked.facts.stream);
    await admit(deps, running, asked.group);
    await hold(deps, running);
    if (asked.facts.stream) running.allowPings(deps.clock.monotonic());
    const answer = await answered(deps, health, running);
    running.meter = answer.meter;
    running.firstByteMs = deps.clock.monotonic() - running.startedMs;
    if (answer.kind === 'stream') {
      await repeat(deps, running, answer, live.checkpoint);
      call.reply.end();
      return;
    }
    // What a whole reply costs is written down before it is given away.
    await settle(deps, running);
    call.reply.start(answer.status, {
      'content-type': 'application/json',
      'content-length': String(answer.bytes.length),
    });
    call.reply.end(answer.bytes);
  };

  const serve = async (call: RelayCall): Promise<void> => {
    const running = new Running(
      call,
      deps.wires[call.operation],
      deps.routing(),
      deps.clock.now(),
      deps.clock.monotonic(),
    );
    call.reply.onGone = () => running.stop(new AppError('client_closed', 'the caller went away'));
    live.add(running);
    try {
      await run(running);
    } catch (thrown) {
      running.failure = asAppError(thrown);
      refuse(deps, running, running.failure);
    } finally {
      await settle(deps, running);
      live.delete(running);
      const outcome = running.failure?.code ?? 'ok';
      if (running.asked === undefined) deps.meter.refused(outcome);
      else
        deps.meter.closed(
          running.asked.facts.stream,
          outcome,
          deps.clock.monotonic() - running.startedMs,
          running.firstByteMs,
        );
    }
  };

  return {
    serve,
    read: createTokenReads(deps, authenticate),
    invalidateToken: (tokenId) => tokens.invalidateToken(tokenId),
    invalidateUser: (userId) => tokens.invalidateUser(userId),
    stop: (graceMs) => live.stop(graceMs),
  };
};
