import { asAppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import { findPrice } from '#core/quota/price.ts';
import { priceOfCall, takeAside } from '../hold.ts';
import type { RealtimeCall } from '../ports.ts';
import { known, type Running } from '../running.ts';
import { settle } from '../settle.ts';
import { nextTurn, type TurnDeps } from './turn.ts';

type ChargeDeps = TurnDeps & Parameters<typeof settle>[0];

/** What a model wrote down of the caller's words, as a call of its own, at that model's price where it has one. */
export const transcriptTurn = (
  deps: TurnDeps,
  call: RealtimeCall,
  turn: Running,
  number: number,
  model: string | undefined,
): Running => {
  const own = model === undefined ? undefined : nextTurn(deps, { ...call, model }, turn, number);
  if (own !== undefined && hasPrice(own)) return own;
  return nextTurn(deps, call, turn, number);
};

const hasPrice = ({ routing, asked, caller, group }: Running): boolean =>
  findPrice(routing, known(asked, 'read').facts.model, known(caller, 'authenticate').user.group, group) !==
  undefined;

/**
 * Charges what was used already: nothing can be held before it. It is taken from what is there, and the next answer is
 * only begun where there is enough for it. Never rejects.
 */
export const chargeTurn = async (deps: ChargeDeps, turn: Running, used: Usage): Promise<void> => {
  try {
    await takeAside(deps, turn, priceOfCall(turn), 0);
  } catch (thrown) {
    const { requestId } = turn.call;
    deps.log.warn('a transcript could not be charged', { requestId, cause: asAppError(thrown).code });
    return;
  }
  Object.assign(turn.meter, { reported: used, produced: true, finished: true });
  await settle(deps, turn);
};
