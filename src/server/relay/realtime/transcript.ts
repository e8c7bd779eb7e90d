import { asAppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import { findPrice } from '#core/quota/price.ts';
import { priceOfCall, holdUnits } from '../bill/hold.ts';
import type { RealtimeCall } from '../calls.ts';
import type { Admitted, Held } from '../stages.ts';
import { settle } from '../bill/settle.ts';
import { nextTurn, type TurnDeps } from './turn.ts';

type ChargeDeps = TurnDeps & Parameters<typeof settle>[0];

/** The transcription of the caller's audio, as a call of its own, at the transcribing model's price if it has one. */
export const transcriptTurn = (
  deps: TurnDeps,
  call: RealtimeCall,
  turn: Held,
  number: number,
  model: string | undefined,
): Admitted => {
  const own = model === undefined ? undefined : nextTurn(deps, { ...call, model }, turn, number);
  if (own !== undefined && hasPrice(own)) return own;
  return nextTurn(deps, call, turn, number);
};

const hasPrice = ({ routing, request, caller, group }: Admitted): boolean =>
  findPrice(routing, request.facts.model, caller.user.group, group) !== undefined;

/**
 * Charges usage that could not be held in advance. It is taken from the balance; the next answer only begins if enough
 * is left for it. Never rejects.
 */
export const chargeTurn = async (deps: ChargeDeps, turn: Admitted, used: Usage): Promise<void> => {
  let held: Held;
  try {
    held = await holdUnits(deps, turn, priceOfCall(turn), 0);
  } catch (thrown) {
    const { requestId } = turn.call;
    deps.log.warn('a transcript could not be charged', { requestId, cause: asAppError(thrown).code });
    return;
  }
  Object.assign(held.live.meter, { reported: used, produced: true, finished: true });
  await settle(deps, held);
};
