import { NO_SUCH_PATH } from './request/format-gaps.ts';
import type { ConversationCall, ConversationOperation } from './calls.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { parsed } from '#contract/json-text.ts';
import { disableReason } from '#core/channel/health/blame.ts';
import { isWorthAnother } from '#core/channel/health/retry.ts';
import type { TriedSeats } from '#core/channel/selection/open-channels.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import { AppError } from '#core/error.ts';
import { assertReadAtOnce } from '#core/json/bounds.ts';
import { KEPT_FOR_MS, type KeptResponse } from '#core/kept/kept-response.ts';
import { groupsOf } from '#core/token/groups.ts';
import type { WordCheck } from '#core/words/check-words.ts';
import { type Fields, isFields } from '#core/json/fields.ts';
import { openaiResponses } from '../dialects/openai-responses/openai-responses.ts';
import { referencesAmong } from '../dialects/openai-responses/references.ts';
import { refuseStatus } from './answer/answer.ts';
import type { Authenticate } from './caller/authenticate.ts';
import { countWithoutModel } from './caller/model-rate.ts';
import type { RelayDeps } from './ports.ts';
import type { Caller } from './request/request.ts';
import { type Destination, destinationOf } from './destination.ts';
import { seatNow } from './route/choose.ts';
import { newTryBook, type TryDeps } from './route/attempt-notes.ts';
import { tryChannels } from './route/try-channels.ts';
import {
  type CallTools,
  createUnbilledCalls,
  refuseKept,
  refuseSaid,
  sendWhole,
  type UnbilledDeps,
} from './kept/unbilled-calls.ts';
import { type AskDeps, askKept, type Keeper, type KeptQuestion } from './kept/ask-kept.ts';
import type { KeptAnswer } from './far/far-kept.ts';
import { enabledKeeper } from './kept/find-kept.ts';
import type { KeptItems } from './kept/kept-reply.ts';
import { isId, type KeptResponses } from './kept/kept-responses.ts';
import { accountObjectIn, accountObjectRefused } from '../dialects/account-objects.ts';
import type { NamedContainer } from '../dialects/containers.ts';
import { assertOwnContainers } from './kept/own-containers.ts';

type ConversationDeps = AskDeps &
  UnbilledDeps &
  TryDeps &
  Pick<RelayDeps, 'modelRates' | 'random'> & {
    readonly authenticate: Authenticate;
    readonly checkWords: WordCheck;
    readonly kept: KeptResponses;
  };

/** Not every upstream that keeps responses keeps conversations, so up to this many are tried. */
const MOST_TRIED = 3;
const WITH_BODY: ReadonlySet<ConversationOperation> = new Set(['create', 'change', 'add-items']);

/** Calls about conversations. */
export const createConversationCalls = (deps: ConversationDeps) => {
  const run = async (call: ConversationCall, tools: CallTools): Promise<void> => {
    const caller = await deps.authenticate(call);
    tools.outlet.rateHeaders = await countWithoutModel(deps, deps.routing().options, caller);
    const { operation, conversationId, itemId, query, headers } = call;
    const body = WITH_BODY.has(operation) ? await readItems(deps, call, caller.user.id) : undefined;
    const question: KeptQuestion = {
      operation,
      responseId: conversationId,
      model: '',
      query,
      headers,
      ...(itemId !== undefined && { itemId }),
      ...(body !== undefined && { body }),
    };
    if (operation === 'create') return create(deps, call, caller, question, tools);
    const found = await deps.kept.find(caller.user.id, conversationId, deps.clock.now());
    // An id like `..` would address another path.
    if (found === undefined || (itemId !== undefined && !isId(itemId))) throw notFound(call);
    const keeper = enabledKeeper(deps, deps.routing().channels.get(found.channelId), found.keyIndex);
    if (keeper === undefined) throw notFound(call, ': the channel that keeps it no longer serves it');
    const sent = await askKept(deps, keeper, { ...question, model: found.model }, tools.signal);
    const secrets = secretsOf(keeper.channel);
    await refuseKept(sent, keeper, deps.clock.now());
    const answered = await tools.read(sent.body, secrets, found.userId);
    refuseSaid(tools, answered);
    await respond(deps, call, { status: sent.status, ...answered }, found);
    if (operation === 'delete-conversation') await deps.kept.forget(found);
  };

  return createUnbilledCalls(deps, run);
};

const notFound = ({ conversationId }: ConversationCall, why = ''): AppError =>
  new AppError('not_found', `Conversation with id '${conversationId.slice(0, 200)}' not found${why}.`, {
    reason: 'conversation_not_found',
  });

/**
 * Reads and checks the body. References are refused: upstreams tell accounts apart but not our users, so one could
 * name another user's item.
 */
const readItems = async (deps: ConversationDeps, call: ConversationCall, userId: number): Promise<Buffer> => {
  const bytes = await call.readBody(userId);
  assertReadAtOnce(bytes);
  const body: unknown = bytes.length === 0 ? {} : parsed(bytes.toString());
  if (!isFields(body)) throw new AppError('invalid_request', 'the body must be a JSON object');
  if (referencesAmong(body['items']).length > 0)
    throw new AppError('invalid_request', "'items': items must be given in full here, not by reference", {
      param: 'items',
      reason: 'unsupported_item',
    });
  const { options } = deps.routing();
  if (!options['global.account_objects_enabled']) {
    const containers: NamedContainer[] = [];
    const named = accountObjectIn(body, containers);
    if (named !== undefined) throw accountObjectRefused(named);
    await assertOwnContainers(deps, userId, containers);
  }
  deps.checkWords(options, { input: body['items'] }, (word) =>
    deps.log.warn('a prompt has a sensitive word', { word, requestId: call.requestId }),
  );
  // Serialises what was checked: if the caller's body has a name twice, its upstream might read the other one.
  return serialised(body);
};

const serialised = (body: Fields): Buffer => {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch (cause) {
    throw new AppError('invalid_request', 'the body is nested too deeply', { cause });
  }
};

/** Health is recorded under this name, because no model is asked. */
const CONVERSATIONS = '/v1/conversations';

/** Creates a conversation at the channel that serves most of the caller's models: only that channel can continue it. */
const create = async (
  deps: ConversationDeps,
  call: ConversationCall,
  caller: Caller,
  question: KeptQuestion,
  { signal, read }: CallTools,
): Promise<void> => {
  const { options } = deps.routing();
  const candidates = keepersFor(deps, caller);
  const book = newTryBook<Destination>();
  const made = await tryChannels(deps, {
    book,
    options,
    model: CONVERSATIONS,
    requestId: call.requestId,
    userAgent: call.headers['user-agent'],
    isFree: caller.channelId === undefined,
    mostTries: MOST_TRIED,
    canRepeat: false,
    choose: (tried) => nextOf(deps, candidates, tried),
    nobody: noKeeper,
    begin: (chosen) => destinationOf(deps, chosen),
    ask: async ({ destination }) => {
      const model =
        candidates.find(({ keeper }) => keeper.channel.id === destination.channel.id)?.model ?? '';
      const sent = await askKept(deps, destination, { ...question, model }, signal);
      if (NO_SUCH_PATH.has(sent.status)) {
        sent.body.discard();
        throw noKeeper();
      }
      await refuseStatus(sent, openaiResponses, { ...destination, nowMs: deps.clock.now() });
      const answered = await read(sent.body, destination.secrets, caller.user.id);
      return { model, keeper: destination, status: sent.status, ...answered };
    },
    status: 200,
    judge: (error) => ({
      another: error.code === 'not_implemented' || isWorthAnother(error, { canRepeat: false }),
      disable: disableReason(error, options),
    }),
  });
  const createdAtMs = deps.clock.now();
  return respond(deps, call, made, {
    userId: caller.user.id,
    responseId: '',
    tokenId: caller.token?.id ?? 0,
    channelId: made.keeper.channel.id,
    keyIndex: made.keeper.channel.keyId,
    model: made.model,
    contextTokens: 0,
    createdAtMs,
    expiresAtMs: createdAtMs + KEPT_FOR_MS,
  });
};

const noKeeper = (): AppError =>
  new AppError('not_implemented', 'no channel available to you stores conversations', {
    reason: 'api_not_implemented',
  });

interface Candidate {
  readonly keeper: Keeper;
  readonly group: string;
  readonly model: string;
  models: number;
}

/** The first untried channel; one that is cooling down only if no other is left. */
const nextOf = (deps: ConversationDeps, candidates: readonly Candidate[], tried: TriedSeats): Decision => {
  const nowMs = deps.clock.monotonic();
  const left = candidates.flatMap(({ keeper, group }) => {
    const seat = seatNow(deps, keeper.channel, CONVERSATIONS, tried);
    return seat.channel === undefined ? [] : [{ ...seat, group, leftOut: [] }];
  });
  const isWarm = ({ channel, coolingTaken }: (typeof left)[number]) =>
    !coolingTaken && channel !== undefined && !deps.health.isCooling(channel.id, 0, CONVERSATIONS, nowMs);
  const warm = left.find(isWarm);
  const next = warm ?? left[0];
  return next === undefined
    ? { channel: undefined, group: '', coolingTaken: true, leftOut: [] }
    : { ...next, coolingTaken: next !== warm };
};

/** Channels that keep responses, sorted by how many of the caller's models they serve. */
const keepersFor = (deps: ConversationDeps, { user, token, channelId }: Caller): readonly Candidate[] => {
  const { options, tiers } = deps.routing();
  const found = new Map<number, Candidate>();
  for (const group of groupsOf(options, user.group, token?.group ?? '')) {
    for (const [model, served] of tiers.get(group) ?? []) {
      if (token?.modelLimitsEnabled === true && !token.modelLimits.includes(model)) continue;
      for (const channel of served.flatMap(({ channels }) => channels)) {
        const keeper = enabledKeeper(deps, channel);
        if (keeper === undefined || (channelId ?? channel.id) !== channel.id) continue;
        const known = found.get(channel.id);
        if (known === undefined) found.set(channel.id, { keeper, group, model, models: 1 });
        else known.models += 1;
      }
    }
  }
  return [...found.values()].toSorted(
    (one, other) => other.models - one.models || one.keeper.channel.id - other.keeper.channel.id,
  );
};

interface Given extends KeptAnswer {
  readonly status: number;
}

/** Sends the upstream's answer with our key masked, and records where its items are kept. */
export const respond = async (
  { kept }: Pick<ConversationDeps, 'kept'>,
  { reply, operation }: Pick<ConversationCall, 'reply' | 'operation'>,
  { status, bytes, reply: answered }: Given,
  at: KeptResponse,
): Promise<void> => {
  kept.noteItems(at, answered);
  if (operation === 'create') kept.noteAt(at, [answered.id]);
  if (operation === 'add-items') kept.noteAt(at, [at.responseId], lengthWith(answered, at));
  // Stored before the caller learns the id, so that a crash does not lose the conversation.
  await kept.flush();
  sendWhole(reply, status, bytes);
};

/** How long a conversation is with the items that were added to it; 0 if that is not known. */
const lengthWith = ({ items }: KeptItems, { contextTokens }: KeptResponse): number => {
  let sum = contextTokens;
  for (const { tokens } of items) {
    if (sum === 0 || tokens === undefined) return 0;
    sum += tokens;
  }
  return sum;
};
