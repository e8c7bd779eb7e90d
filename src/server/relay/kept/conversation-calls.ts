import { secretsOf } from '#core/channel/channel-secrets.ts';
import { parsed } from '#contract/text.ts';
import { AppError } from '#core/error.ts';
import { KEPT_FOR_MS, type KeptResponse } from '#core/kept/kept-response.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { groupsOf } from '#core/token/groups.ts';
import type { WordCheck } from '#core/words/check-words.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { refuseStatus } from '../answer.ts';
import type { Authenticate } from '../authenticate.ts';
import { countBeside } from '../model-rate.ts';
import type { RelayDeps } from '../ports.ts';
import type { Caller } from '../running.ts';
import { type AnsweredCall, answeredCalls, answerWhole, readWhole } from './answered-calls.ts';
import {
  type AskDeps,
  askKept,
  type ConversationOperation,
  type Keeper,
  type KeptQuestion,
} from './ask-kept.ts';
import { keptChannel } from './find-kept.ts';
import { idsOf, isId, type KeptResponses } from './kept-responses.ts';
import { referencesAmong } from './references.ts';

/** One call about a conversation. It is never charged: what is said in one is charged when it is answered. */
export interface ConversationCall extends AnsweredCall {
  readonly operation: ConversationOperation;
  /** Empty for one that is to be made. */
  readonly conversationId: string;
  readonly itemId: string | undefined;
  readBody(userId: number): Promise<Buffer>;
}

type ConversationDeps = AskDeps &
  Pick<RelayDeps, 'log' | 'modelRates'> & {
    readonly authenticate: Authenticate;
    readonly checkWords: WordCheck;
    readonly kept: KeptResponses;
  };

/** Not every upstream that keeps responses keeps conversations: so many are asked for a new one. */
const MOST_TRIED = 3;
const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 501]);
const BRINGS: ReadonlySet<ConversationOperation> = new Set(['create', 'change', 'add-items']);

/** The calls about conversations, and the end of all that are running. */
export const createConversationCalls = (deps: ConversationDeps) => {
  const run = async (call: ConversationCall, signal: AbortSignal): Promise<void> => {
    const caller = await deps.authenticate(call);
    await countBeside(deps, deps.routing().options, caller);
    const { operation, conversationId, itemId, query, headers } = call;
    const body = BRINGS.has(operation) ? await readItems(deps, call, caller.user.id) : undefined;
    const question: KeptQuestion = {
      operation,
      responseId: conversationId,
      model: '',
      query,
      headers,
      ...(itemId !== undefined && { itemId }),
      ...(body !== undefined && { body }),
    };
    if (operation === 'create') return create(deps, call, caller, question, signal);
    const found = await deps.kept.find(caller.user.id, conversationId, deps.clock.now());
    // A name like `..` would lead elsewhere.
    if (found === undefined || (itemId !== undefined && !isId(itemId))) throw notFound(call);
    const keeper = keptChannel(deps, deps.routing().channels.get(found.channelId));
    if (keeper === undefined) throw notFound(call, ': the channel that keeps it no longer serves it');
    const sent = await askKept(deps, keeper, { ...question, model: found.model }, signal);
    await given(deps, call, keeper, sent, found);
    if (operation === 'delete-conversation') await deps.kept.forget(found);
  };

  return answeredCalls(deps, run);
};

const notFound = ({ conversationId }: ConversationCall, why = ''): AppError =>
  new AppError('not_found', `Conversation with id '${conversationId.slice(0, 200)}' not found${why}.`, {
    reason: 'conversation_not_found',
  });

/** What a call brings, checked: a name of an item could be another user's, since upstreams know accounts only. */
const readItems = async (deps: ConversationDeps, call: ConversationCall, userId: number): Promise<Buffer> => {
  const bytes = await call.readBody(userId);
  const body: unknown = bytes.length === 0 ? {} : parsed(bytes.toString());
  if (!isFields(body)) throw new AppError('invalid_request', 'the body must be a JSON object');
  if (referencesAmong(body['items']).length > 0)
    throw new AppError('invalid_request', "'items': items must be said whole here, not named", {
      param: 'items',
      reason: 'unsupported_item',
    });
  deps.checkWords(deps.routing().options, { input: body['items'] }, (word) =>
    deps.log.warn('a prompt has a sensitive word', { word, requestId: call.requestId }),
  );
  return bytes.length === 0 ? Buffer.from('{}') : bytes;
};

/** Makes a conversation where most of what the caller may use is served: only there it can be gone on with. */
const create = async (
  deps: ConversationDeps,
  call: ConversationCall,
  caller: Caller,
  question: KeptQuestion,
  signal: AbortSignal,
): Promise<void> => {
  for (const { keeper, model } of keepersFor(deps, caller)) {
    const sent = await askKept(deps, keeper, { ...question, model }, signal);
    if (NO_SUCH_PATH.has(sent.status)) {
      sent.body.discard();
      continue;
    }
    const createdAtMs = deps.clock.now();
    return given(deps, call, keeper, sent, {
      userId: caller.user.id,
      responseId: '',
      tokenId: caller.token?.id ?? 0,
      channelId: keeper.channel.id,
      keyIndex: 0,
      model,
      createdAtMs,
      expiresAtMs: createdAtMs + KEPT_FOR_MS,
    });
  }
  throw new AppError('not_implemented', 'no channel that is open to you keeps conversations', {
    reason: 'api_not_implemented',
  });
};

interface Candidate {
  readonly keeper: Keeper;
  readonly model: string;
  models: number;
}

/** Channels that keep responses, those first that serve the caller most models. */
const keepersFor = (deps: ConversationDeps, { user, token, channelId }: Caller): readonly Candidate[] => {
  const { options, tiers } = deps.routing();
  const found = new Map<number, Candidate>();
  for (const group of groupsOf(options, user.group, token?.group ?? '')) {
    for (const [model, served] of tiers.get(group) ?? []) {
      if (token?.modelLimitsEnabled === true && !token.modelLimits.includes(model)) continue;
      for (const channel of served.flatMap(({ channels }) => channels)) {
        const keeper = keptChannel(deps, channel);
        if (keeper === undefined || (channelId ?? channel.id) !== channel.id) continue;
        const known = found.get(channel.id);
        if (known === undefined) found.set(channel.id, { keeper, model, models: 1 });
        else known.models += 1;
      }
    }
  }
  return [...found.values()]
    .toSorted((one, other) => other.models - one.models || one.keeper.channel.id - other.keeper.channel.id)
    .slice(0, MOST_TRIED);
};

/** The upstream's own answer, but for our key in it; what it names is remembered as being there. */
const given = async (
  deps: ConversationDeps,
  { reply }: ConversationCall,
  { channel, upstream }: Keeper,
  sent: OutboundReply,
  at: KeptResponse,
): Promise<void> => {
  const secrets = secretsOf(channel);
  await refuseStatus(sent, openaiResponses, upstream, secrets);
  const bytes = await readWhole(sent.body);
  const told: Fields = fieldsOf(parsed(bytes.toString()));
  const isDeleted = textOf(told['object'])?.endsWith('.deleted') === true;
  if (!isDeleted) deps.kept.noteAt(at, [textOf(told['id']), ...idsOf(listOf(told['data']))]);
  // Whoever is told of a conversation finds it again, also after a crash.
  await deps.kept.flush();
  answerWhole(reply, { status: sent.status, bytes }, secrets);
};
