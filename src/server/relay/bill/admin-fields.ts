import { NANO_PER_USD } from '#contract/limits.ts';
import type { Move } from '#core/channel/selection/choice.ts';
import type { Live } from '../live.ts';
import type { Session } from '../request/session-of.ts';
import type { Admitted } from '../stages.ts';
import type { Attempt, Tried } from '../destination.ts';
import { evidenceFields } from './evidence/evidence-of-call.ts';

type Fields = Record<string, unknown>;

/** Where a call went and how long its stages took. Never shown to the calling user. */
export const adminFields = (admitted: Admitted): Fields => {
  const { live, startedMs, session } = admitted;
  const evidence = evidenceFields(admitted);
  const fields = triedFields(live, startedMs);
  if (live.queued !== undefined) fields['queued'] = queuedFields(live.queued);
  if (session !== undefined) fields['session'] = sessionFields(live, session);
  if (live.isOverBudget) fields['retries_refused'] = true;
  if (live.readMs !== undefined) fields['stages'] = stagesOf(live, startedMs);
  fields['local_count_tokens'] = live.meter.reported === undefined;
  if (evidence !== undefined) fields['evidence'] = evidence;
  // The id by which the call is found in the upstream's bill.
  if (live.meter.replyId !== undefined) fields['upstream_id'] = live.meter.replyId;
  return fields;
};

/** The channel whose queue the call waited in, its position there, and the wait. */
export const queuedFields = ({
  channelId,
  position,
  waitMs,
}: NonNullable<Live['queued']>): Readonly<Record<string, number>> => ({
  channel: channelId,
  position,
  wait_ms: Math.round(waitMs),
});

/**
 * Milliseconds from the beginning of the call until its request was read, its hold made, its first byte received and
 * its last byte received.
 */
const stagesOf = ({ readMs = 0, heldMs, firstByteMs, outlet }: Live, startedMs: number): Fields => {
  const lastMs = outlet.lastWriteMs - startedMs;
  const fields: Fields = { read: Math.round(readMs) };
  if (heldMs !== undefined) fields['hold'] = Math.round(heldMs);
  if (firstByteMs !== undefined) fields['last'] = Math.round(Math.max(lastMs, firstByteMs));
  return fields;
};

/**
 * The attempts of a call, their results, and why the last channel was chosen.
 * @param startedMs when the call began
 */
export const triedFields = ({ attempts, attempt, undecided }: Tried, startedMs: number): Fields => {
  const info: Fields = {
    use_channel: attempts.map(({ channelId }) => String(channelId)),
    attempts: attempts.map((each) => attemptFields(each, startedMs)),
  };
  const decision = attempt?.destination.decision ?? undecided;
  if (decision === undefined) return info;
  const { group, coolingTaken, leftOut } = decision;
  const reasons = leftOut.map(({ channelId, reason }) => [channelId, reason]);
  info['decision'] = coolingTaken
    ? { group, cooling_taken: true, left_out: reasons }
    : { group, left_out: reasons };
  return info;
};

/** How the session was identified, the channel it was bound to, and why it moved. */
const sessionFields = ({ destination }: Live, { from }: Session): Fields => {
  const { wish } = destination?.decision ?? {};
  if (wish === undefined) return { from };
  const { channelId, passedOver, moved } = wish;
  return {
    from,
    bound_to: channelId,
    ...(passedOver !== undefined && { passed_over: passedOver }),
    ...(moved !== undefined && { moved: movedFields(moved) }),
  };
};

/**
 * The expected cost of the rest of the session if it stays and if it moves; `cold` is the part for a prompt that is not
 * cached there.
 */
const movedFields = ({ stay, move, cold }: Move): Fields => ({
  ...(stay !== undefined && { stay_usd: stay / NANO_PER_USD }),
  ...(move !== undefined && { move_usd: move / NANO_PER_USD }),
  ...(cold !== undefined && { cold_usd: cold / NANO_PER_USD }),
});

const attemptFields = (attempt: Attempt, callStartedMs: number): Fields => {
  const { channelId, key, status, durationMs, error, startedMs, connectMs, headMs, race } = attempt;
  const fields: Fields = { channel: channelId };
  if (key !== undefined) fields['key'] = key;
  fields['status'] = status;
  fields['ms'] = Math.round(durationMs);
  fields['at'] = Math.max(0, Math.round(startedMs - callStartedMs));
  if (connectMs !== undefined) fields['connect'] = Math.round(connectMs);
  if (headMs !== undefined) fields['head'] = Math.round(headMs);
  if (race !== undefined) fields['race'] = race;
  if (error !== '') fields['error'] = error;
  return fields;
};
