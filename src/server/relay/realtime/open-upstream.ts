import { AppError } from '#core/error.ts';
import { activeOverrides } from '#core/channel/overrides/override.ts';
import { overriddenHeaders } from '#core/channel/overrides/override-headers.ts';
import { limitsOfModel, patienceFor } from '#core/channel/health/patience.ts';
import { abortSignalOf } from '#core/outbound/give-up.ts';
import type { ConnectSocket, MessageSocket } from '#core/outbound/message-socket.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import { chooseSeat, type ChooseDeps, noChannelTakes } from '../route/choose.ts';
import type { RealtimeCall } from '../calls.ts';
import { upstreamModel } from '../request/choose-format.ts';
import type { Parts } from '../parts.ts';
import type { Held } from '../stages.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import { destinationOf } from '../destination.ts';
import type { TryDeps } from '../route/attempt-notes.ts';
import { retryBudget } from '../route/retry-budget.ts';
import { tryChannels } from '../route/try-channels.ts';

export type OpenDeps = TryDeps & ChooseDeps & Pick<Parts, 'retries'> & { readonly connect: ConnectSocket };

/** HTTP headers that are meaningless or wrong when opening a WebSocket. */
const UNSENT = new Set(['content-type', 'accept']);

/** An open connection, and the secrets to mask in what it sends. */
interface Opened {
  readonly socket: MessageSocket;
  readonly secrets: Secrets;
}

/** Tries channels until one opens. Throws the last failure if none is left or a retry is pointless. */
export const openUpstream = async (deps: OpenDeps, call: RealtimeCall, held: Held): Promise<Opened> => {
  const { live, caller, routing } = held;
  const leave = (): void => live.stop(new AppError('client_closed', 'the caller went away'));
  call.signal.addEventListener('abort', leave);
  if (call.signal.aborted) leave();
  try {
    return await tryChannels(deps, {
      book: live,
      options: routing.options,
      model: call.model,
      operation: 'realtime',
      userId: caller.user.id,
      requestId: call.requestId,
      userAgent: call.headers['user-agent'],
      isFree: caller.channelId === undefined,
      // Nothing is executed before the connection is open.
      canRepeat: true,
      budget: retryBudget(deps, routing, held.group, call.model),
      choose: (tried, ifFull) => chooseSeat(deps, held, tried, ifFull),
      nobody: (decision) => noChannelTakes(held, decision),
      begin: (chosen) => destinationOf(deps, chosen),
      ask: async (attempt) => ({
        socket: await connect(deps, call, held, attempt),
        secrets: attempt.destination.secrets,
      }),
      status: 101,
    });
  } finally {
    call.signal.removeEventListener('abort', leave);
  }
};

const connect = (
  deps: OpenDeps,
  call: RealtimeCall,
  held: Held,
  attempt: LiveAttempt,
): Promise<MessageSocket> => {
  const { routing, wire } = held;
  const { destination } = attempt;
  const { channel, upstream } = destination;
  const { setting } = channel;
  const { options } = routing;
  const model = upstreamModel(channel, call.model);
  const ofModel = limitsOfModel(options['upstream_setting.model_timeouts'], call.model);
  const patience = patienceFor(setting.limits, ofModel, { stream: true, canRepeat: true });
  attempt.destination = {
    ...destination,
    sentAs: { upstreamModel: model, format: wire, patience, effort: undefined, terms: undefined },
  };
  const address = upstream.address(channel, {
    operation: 'realtime',
    model,
    stream: true,
    options,
    callerHeaders: call.headers,
  });
  const beta = call.headers['openai-beta'];
  const headers = Object.fromEntries(Object.entries(address.headers).filter(([name]) => !UNSENT.has(name)));
  const { proxy } = setting;
  const beneath = typeof beta === 'string' ? { ...headers, 'openai-beta': beta } : headers;
  const { group } = held;
  const overrides = activeOverrides(setting.overrides, { model: call.model, group, headers: call.headers });
  return deps.connect(
    {
      url: address.url,
      headers: overriddenHeaders(beneath, overrides, call.headers),
      ...(proxy !== undefined && { proxy }),
    },
    abortSignalOf(attempt.abort),
  );
};
