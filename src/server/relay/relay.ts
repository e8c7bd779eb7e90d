import { asAppError } from '#core/error.ts';
import { isForm } from '../dialects/form.ts';
import { admit } from './admit.ts';
import { answered } from './attempt.ts';
import { callerOf } from './authenticate.ts';
import { callerLeft } from './caller-left.ts';
import { decided, readAnywhere } from './far/far-asked.ts';
import { followForm } from './follow-form.ts';
import { giveWhole } from './give-whole.ts';
import { hold } from './hold.ts';
import { findKept } from './kept/find-kept.ts';
import { restarting } from './live-calls.ts';
import { endCounted } from './model-rate.ts';
import type { Parts } from './parts.ts';
import { pass } from './pass.ts';
import type { RelayCall } from './ports.ts';
import { readFormRequest } from './read-request.ts';
import { refuseInexpressible } from './refusal.ts';
import { refuse } from './refuse.ts';
import { repeat } from './repeat.ts';
import { convertWhole, isRewritten, rewrite } from './rewrite.ts';
import { Running } from './running.ts';
import { settle } from './settle.ts';
import { withoutSecrets } from './without-secrets.ts';
import { holdPictures, settlePictures } from './tool-pictures.ts';

/** A call from its bytes to its answer. Throws what is wrong, for whoever tells the caller. */
const run = async (parts: Parts, running: Running): Promise<void> => {
  const { call, wire } = running;
  const { clock, kept, background } = parts;
  if (parts.live.isStopping) throw restarting();
  const caller = callerOf(parts, call);
  running.caller = caller instanceof Promise ? await caller : caller;
  const { id } = running.caller.user;
  const asked = isForm(call.headers['content-type'])
    ? readFormRequest(call, wire, await call.readForm(id, wire.goesOutEarly === true))
    : await readAnywhere(parts.farThreads, running, await call.readBody(id), running.routing.options);
  running.asked = asked;
  running.isCountedAsStream = asked.facts.stream;
  parts.metrics.opened(asked.facts.stream);
  await admit(parts, running, asked.group);
  followForm(parts, running);
  await decided(running, () => refuseInexpressible(parts, running));
  await findKept(parts, running);
  await hold(parts, running);
  if (asked.facts.draws !== undefined && !running.sparesTools) await holdPictures(parts, running);
  if (running.background !== undefined) await background.begin(running);
  if (asked.facts.stream) running.allowPings(clock.monotonic());
  const answer = await answered(parts, parts.health, running);
  const converted = answer.kind === 'whole' ? convertWhole(running, answer) : undefined;
  kept.note(running, answer);
  if (running.background !== undefined) await kept.flush();
  running.meter = answer.meter;
  running.firstByteMs = clock.monotonic() - running.startedMs;
  if (running.background !== undefined) await background.taken(running, answer);
  running.checkReply = parts.openReplyCheck(running.routing.options, reportTo(parts, running));
  if (answer.kind === 'whole') return giveWhole(parts, running, answer, converted);
  if (answer.kind === 'bytes') return pass(parts, running, answer);
  const give = isRewritten(running) ? rewrite : repeat;
  return give(parts, running, answer, parts.live.checkpoint);
};

const reportTo =
  ({ log }: Parts, { call }: Running) =>
  (word: string): void =>
    log.warn('a reply has a sensitive word', { word, requestId: call.requestId });

/**
 * Made here, and not where it is assigned: a function written behind `object.property =` is taken by V8 for one that lives
 * long, and put where garbage is seldom collected. There it would keep all of its call, though that is long over.
 */
const stopOf = (running: Running) => (): void => callerLeft(running);

/** Runs a call and ends it, whatever happened: the caller is told, the hold is closed, the call is counted. */
export const serve = async (parts: Parts, call: RelayCall): Promise<void> => {
  const { clock, live, metrics, background } = parts;
  const wire = call.operation === 'chat' ? parts.dialects[call.dialect] : parts.wires[call.operation];
  const running = new Running(call, wire, parts.routing(), clock.now(), clock.monotonic());
  running.gaps = parts.gaps;
  call.reply.onGone = stopOf(running);
  live.add(running);
  try {
    await run(parts, running);
  } catch (thrown) {
    const error = asAppError(thrown);
    running.failure = running.channel === undefined ? error : withoutSecrets(error, running.secrets);
    endCounted(parts, running, false);
    refuse(parts, running, running.failure);
  }
  parts.kept.noteItems(running);
  if (running.background !== undefined) await background.end(running, () => settle(parts, running));
  else await settle(parts, running);
  if (running.pictures !== undefined) await settlePictures(parts, running);
  running.asked?.far?.leave();
  live.delete(running);
  const outcome = running.failure?.code ?? 'ok';
  const stream = running.isCountedAsStream;
  if (stream === undefined) metrics.refused(outcome);
  else metrics.closed(stream, outcome, clock.monotonic() - running.startedMs, running.firstByteMs);
};
