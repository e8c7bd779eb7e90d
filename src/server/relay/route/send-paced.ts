import type { LiveAttempt } from '../live-attempt.ts';
import type { Parts } from '../parts.ts';
import type { Answered, Held } from '../stages.ts';
import { type Chosen, type Destination, destinationOf } from '../destination.ts';
import { send } from './send.ts';

/** Starts an attempt at a channel. The channel counts one more running call, which `sendPaced` ends. */
export const begunAt = (parts: Parts, chosen: Chosen): Destination => {
  parts.pace.began(chosen.channel.id);
  return destinationOf(parts, chosen);
};

/** Sends a call, and records when it ends and how soon the channel began to answer. */
export const sendPaced = async (parts: Parts, held: Held, attempt: LiveAttempt): Promise<Answered> => {
  const { model, stream } = held.request.facts;
  attempt.pace = parts.pace;
  try {
    const answered = await send(parts, held, attempt);
    // A whole reply shows nothing before its end, so the time to its end counts.
    if (stream) heard(parts, model, attempt);
    return answered;
  } catch (thrown) {
    // A late attempt would have taken even longer.
    if (attempt.late !== undefined) heard(parts, model, attempt);
    throw thrown;
  }
};

const heard = ({ pace, clock }: Parts, model: string, { destination, startedMs }: LiveAttempt): void => {
  const nowMs = clock.monotonic();
  pace.heard(destination.channel.id, model, nowMs - startedMs, nowMs);
};
