import type { Usage } from '#core/chat/usage.ts';
import type { Held } from '../stages.ts';

/** A turn, and the most usage it is held for. */
export interface HeldTurn {
  turn: Held;
  worst: Usage;
}

/** Whether the hold covers a turn that uses this much. */
export const isEnough = ({ worst: held }: HeldTurn, worst: Usage): boolean =>
  held.inputTokens >= worst.inputTokens && held.audioInputTokens >= worst.audioInputTokens;

interface SwapDeps {
  readonly next: (turn: Held, worst: Usage) => Promise<Held>;
  readonly settle: (turn: Held) => Promise<void>;
}

/** Replaces the hold by a larger one; throws if that cannot be paid. */
export const swap = async ({ next, settle }: SwapDeps, held: HeldTurn, worst: Usage): Promise<void> => {
  const { turn } = held;
  try {
    held.turn = await next(turn, worst);
  } catch {
    // The quota of the old hold may be needed for the new one.
    await settle(turn);
    held.turn = await next(turn, worst);
  }
  held.worst = worst;
  await settle(turn);
};
