import { AppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import { quotaOf } from '#core/quota/price.ts';
import type { Wire } from '../../dialects/dialect.ts';
import { type HoldDeps, priceOfCall, holdUnits } from '../bill/hold.ts';
import { Live } from '../live.ts';
import { noReply, type RealtimeCall, type RelayCall } from '../calls.ts';
import type { RelayDeps } from '../ports.ts';
import type { Caller, CallerRequest } from '../request/request.ts';
import type { Admitted, Asked, Held } from '../stages.ts';
import { Translations } from '../request/translations.ts';

export type TurnDeps = HoldDeps & Pick<RelayDeps, 'routing'> & { readonly wire: Wire };

/** A turn before its caller is authenticated. */
export type NewTurn = Omit<Asked, 'caller'>;

const NOTHING = Buffer.alloc(0);

/** One answer of a conversation, as a call of its own: held, charged and logged like any other. */
export const newTurn = ({ clock, wire, routing }: TurnDeps, call: RealtimeCall, number: number): NewTurn => {
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
  const request = requestFor(wire, call.model);
  const now = routing();
  return {
    call: turn,
    wire,
    routing: now,
    createdAtMs: clock.now(),
    startedMs: clock.monotonic(),
    isSideCall: false,
    live: new Live(turn, now.options.StreamCacheQueueLength),
    request,
    translations: new Translations(wire, request),
  };
};

const requestFor = (wire: Wire, model: string): CallerRequest => {
  const told = { model };
  return {
    facts: wire.facts(told),
    bytes: NOTHING,
    body: told,
    told,
    changed: false,
    modelInPath: true,
    hasForeignSignatures: false,
    group: '',
  };
};

/** The next turn of the same conversation, on the same channel. */
export const nextTurn = (
  deps: TurnDeps,
  call: RealtimeCall,
  before: Held,
  number: number,
  caller: Caller = before.caller,
): Admitted => {
  const turn = newTurn(deps, call, number);
  turn.live.trial = before.live.trial;
  turn.live.attempts = before.live.attempts;
  const { group, omitsTools, continuation, canRepeat, lateForm } = before;
  return { ...turn, caller, group, omitsTools, continuation, canRepeat, lateForm };
};

/** Holds what a turn that uses `worst` costs. Throws if the quota is short. */
export const holdTurn = async (deps: TurnDeps, turn: Admitted, worst: Usage): Promise<Held> => {
  const price = priceOfCall(turn);
  const units = quotaOf(price, worst);
  if (units === undefined)
    throw new AppError('insufficient_quota', 'a turn could cost more than any balance can hold', {
      reason: 'insufficient_user_quota',
    });
  return holdUnits(deps, turn, price, units);
};
