import { applicationTypes } from '#contract/channel-types/application-types.ts';
import type { Channel } from '#core/channel/channel.ts';
import {
  longestAnswer,
  MOST_WORDS_TOKENS,
  neverThinks,
  thinksOutOfSight,
} from '#core/chat/thinks-out-of-sight.ts';
import { MOST_ANSWER_TOKENS } from '#core/quota/afford.ts';
import { isSmall, OWN_ANSWER_TOKENS, OWN_PROMPT_TOKENS, type UsageLimits } from '#core/quota/usage-limits.ts';
import type { Operation } from '#core/operation.ts';
import type { Admitted } from '../stages.ts';
import type { Destination } from '../destination.ts';
import { asksForThoughts } from './hold/asked-thoughts.ts';
import { paidAnswers } from './price/price-of-call.ts';

const APPLICATIONS: ReadonlySet<number> = new Set(applicationTypes.map(({ id }) => id));

/**
 * Names of models, or of services that hosts offer like models, that search or work on their own before they answer.
 */
const READS_ON_ITS_OWN = /search|online|sonar|compound|browse|web|agent|assistant|tools|preset|bot/i;

/** Operations whose answers have a length that callers limit. */
const LIMITED: ReadonlySet<Operation> = new Set<Operation>(['chat', 'completions']);

/** Fields whose override makes neither prompt nor answer longer. */
const HARMLESS: ReadonlySet<string | undefined> = new Set([
  'temperature',
  'top_p',
  'top_k',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'seed',
  'stop',
  'user',
  'metadata',
  'store',
  'service_tier',
]);

/** Whether the operator makes the channel send or request more than its callers ask for. */
const sendsMore = ({ paramOverride, setting }: Channel): boolean =>
  setting.systemPrompt !== undefined ||
  Object.keys(paramOverride).some((name) => !HARMLESS.has(name)) ||
  setting.overrides?.some(({ on, path: [name] }) => on === 'body' && !HARMLESS.has(name)) === true;

/** Whether an upstream, or a model by one of its names, searches or works on its own before it answers. */
export const readsOnItsOwn = ({ channel, sentAs }: Sent, model: string): boolean =>
  APPLICATIONS.has(channel.type) ||
  READS_ON_ITS_OWN.test(model) ||
  (sentAs !== undefined && sentAs.upstreamModel !== model && READS_ON_ITS_OWN.test(sentAs.upstreamModel));

type Sent = Pick<Destination, 'channel' | 'sentAs'>;

/**
 * Whether we see every token of an answer: its model does not think, and the call has no predicted output, whose
 * rejected tokens are charged but not shown.
 */
const knowsAllWords = (names: readonly string[], fields: Judged['request']['fields']): boolean =>
  names.every(neverThinks) && !asksForThoughts(fields) && (fields['prediction'] ?? null) === null;

/** The longest answer that the makers of these models allow; if that is unknown, the longest of any model. */
const mostTokens = (names: readonly string[], maxOutputTokens = 0): number => {
  const longest = Math.max(...names.map((name) => longestAnswer(name) ?? Infinity));
  return Number.isFinite(longest) ? longest : Math.max(maxOutputTokens, MOST_ANSWER_TOKENS);
};

type Judged = Pick<Admitted, 'call' | 'request' | 'live'>;

/** Like `limitsOf`, but undefined for calls whose report is too small to be checked. */
export const limitsIfLarge = (judged: Judged): UsageLimits | undefined => {
  const { reported, toolCalls } = judged.live.meter;
  const isLarge = reported !== undefined && !isSmall(reported);
  return isLarge || toolCalls !== undefined ? limitsOf(judged) : undefined;
};

/** What an honest report about this call cannot exceed, as it was sent; undefined if nothing is known of that. */
export const limitsOf = ({ call, request, live }: Judged): UsageLimits | undefined => {
  const { facts, fields } = request;
  const { model, promptTokensMost, maxOutputTokens, isLimitForeign } = facts;
  const { destination } = live;
  if (destination === undefined || APPLICATIONS.has(destination.channel.type)) return undefined;
  const names = [model, destination.sentAs?.upstreamModel ?? model];
  const isOpen =
    sendsMore(destination.channel) ||
    (facts.unpricedWork ?? facts.accountObject) !== undefined ||
    names.some((name) => READS_ON_ITS_OWN.test(name));
  const answers = paidAnswers(facts);
  const isLimited = LIMITED.has(call.operation) && isLimitForeign !== true && maxOutputTokens !== undefined;
  const mayThink = names.some(thinksOutOfSight) || asksForThoughts(fields);
  const most = mostTokens(names, maxOutputTokens);
  const mostWords = knowsAllWords(names, fields) ? MOST_WORDS_TOKENS : most;
  const usual = isLimited && !mayThink ? Math.min(maxOutputTokens, mostWords) : mostWords;
  const hasTools = isOpen || facts.toolCalls !== undefined || promptTokensMost === undefined;
  return {
    promptTokens:
      isOpen || promptTokensMost === undefined ? undefined : (promptTokensMost + OWN_PROMPT_TOKENS) * answers,
    answerTokens: hasTools ? undefined : usual * answers + OWN_ANSWER_TOKENS,
    richAnswerTokens: hasTools ? undefined : most * answers + OWN_ANSWER_TOKENS,
    hasTools,
  };
};
