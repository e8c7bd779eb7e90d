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
  const { pace, clock } = parts;
  const { id } = attempt.destination.channel;
  const { model, stream } = held.request.facts;
  attempt.pace = pace;
  const heard = (): void => {
    const nowMs = clock.monotonic();
    pace.heard(id, model, nowMs - attempt.startedMs, nowMs);
  };
  try {
    const answered = await send(parts, held, attempt);
    // A whole reply shows nothing before its end, so the time to its end counts.
    if (stream) heard();
    return answered;
  } catch (thrown) {
    // A late attempt would have taken even longer.
    if (attempt.late !== undefined) heard();
    throw thrown;
  }
};
