import { AppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import { quotaOf } from '#core/quota/price.ts';
import type { Wire } from '../../dialects/dialect.ts';
import { type HoldDeps, priceOfCall, takeAside } from '../hold.ts';
import { noReply } from '../no-reply.ts';
import type { RealtimeCall, RelayCall, RelayDeps } from '../ports.ts';
import { known, Running } from '../running.ts';

export type TurnDeps = HoldDeps & Pick<RelayDeps, 'routing'> & { readonly wire: Wire };

const NOTHING = Buffer.alloc(0);

/** One answer of a conversation, as a call of its own: held, charged and logged like any other. */
export const newTurn = (deps: TurnDeps, call: RealtimeCall, number: number): Running => {
  const turn: RelayCall = {
    operation: 'realtime',
    dialect: 'openai-chat',
    headers: call.headers,
    queryKey: call.queryKey,
    pathModel: call.model,
    pathStream: true,
    framing: 'events',
    playground: false,
    requestId: number === 0 ? call.requestId : `${call.requestId}-${String(number)}`,
    ip: call.ip,
    path: '/v1/realtime',
    reply: noReply,
    readBody: () => Promise.resolve(NOTHING),
    readForm: () => Promise.reject(new Error('a conversation has no form')),
  };
  const { clock, wire } = deps;
  const running = new Running(turn, wire, deps.routing(), clock.now(), clock.monotonic());
  const told = { model: call.model };
  running.asked = {
    facts: wire.facts(told),
    bytes: NOTHING,
    body: told,
    told,
    changed: false,
    modelInPath: true,
    hasForeignSignatures: false,
  };
  return running;
};

/** The next turn of the same conversation, at the price it began with. */
export const nextTurn = (deps: TurnDeps, call: RealtimeCall, before: Running, number: number): Running => {
  const turn = newTurn(deps, call, number);
  turn.caller = before.caller;
  turn.group = before.group;
  turn.channel = before.channel;
  turn.decision = before.decision;
  turn.attempts = before.attempts;
  turn.upstreamModel = before.upstreamModel;
  return turn;
};

/** Takes aside what a turn that uses `worst` costs. Throws where that is not there. */
export const holdTurn = async (deps: TurnDeps, turn: Running, worst: Usage): Promise<void> => {
  known(turn.caller, 'authenticate');
  const price = priceOfCall(turn);
  const units = quotaOf(price, worst);
  if (units === undefined)
    throw new AppError('insufficient_quota', 'a turn could cost more than any balance can hold', {
      reason: 'insufficient_user_quota',
    });
  await takeAside(deps, turn, price, units);
};
