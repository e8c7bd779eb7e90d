import type { LiveAttempt } from '../live-attempt.ts';
import type { Parts } from '../parts.ts';
import type { Answered, Held } from '../stages.ts';
import { type Chosen, type Trial, trialOf } from '../trial.ts';
import { send } from './send.ts';

/** What is known of a channel before it is asked. From here on it has one more call, which `sendPaced` ends. */
export const begunAt = (parts: Parts, chosen: Chosen): Trial => {
  parts.pace.began(chosen.channel.id);
  return trialOf(parts, chosen);
};

/** Sends a call, and remembers of its channel when that is over, and how soon it began to answer. */
export const sendPaced = async (parts: Parts, held: Held, attempt: LiveAttempt): Promise<Answered> => {
  const { pace, clock } = parts;
  const { id } = attempt.trial.channel;
  const { model, stream } = held.request.facts;
  attempt.pace = pace;
  const heard = (): void => {
    const nowMs = clock.monotonic();
    pace.heard(id, model, nowMs - attempt.startedMs, nowMs);
  };
  try {
    const answered = await send(parts, held, attempt);
    // Of a whole reply nothing is seen until it is over.
    if (stream) heard();
    return answered;
  } catch (thrown) {
    // It would have taken even longer.
    if (attempt.late !== undefined) heard();
    throw thrown;
  }
};
