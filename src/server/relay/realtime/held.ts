import type { Usage } from '#core/chat/usage.ts';
import type { Running } from '../running.ts';

/** A turn, and the most it may use as it is held. */
export interface Held {
  turn: Running;
  worst: Usage;
}

/** Whether what is held is enough for a turn that uses this much. */
export const isEnough = ({ worst: held }: Held, worst: Usage): boolean =>
  held.inputTokens >= worst.inputTokens && held.audioInputTokens >= worst.audioInputTokens;

interface SwapDeps {
  readonly next: (turn: Running, worst: Usage) => Promise<Running>;
  readonly settle: (turn: Running) => Promise<void>;
}

/** Holds the same turn for more; throws where that cannot be paid. */
export const swap = async ({ next, settle }: SwapDeps, held: Held, worst: Usage): Promise<void> => {
  const { turn } = held;
  try {
    held.turn = await next(turn, worst);
  } catch {
    // What is held already may be what is missing.
    await settle(turn);
    held.turn = await next(turn, worst);
  }
  held.worst = worst;
  await settle(turn);
};
