import { MOST_ANSWERS } from '#contract/asked-words.ts';
import type { Channel } from '#core/channel/channel.ts';
import { activeOverrides, type Override } from '#core/channel/overrides/override.ts';
import type { Routing, Tier } from '#core/channel/routing.ts';
import type { ToolCalls } from '#core/chat/usage.ts';
import type { Operation } from '#core/operation.ts';
import { type Fields, fieldsOf, isFields, listOf } from '#core/json/fields.ts';
import { sentTerms, type ServiceTerms } from '#core/quota/service-terms.ts';
import { priceEntries } from '#core/quota/tool-prices.ts';
import { messagesFacts } from '../../../dialects/anthropic-messages/facts.ts';
import type { RequestFacts } from '../../../dialects/dialect.ts';
import { facts as geminiFacts } from '../../../dialects/gemini/facts.ts';
import { askedNumbers } from '../../../dialects/openai/usage/asked-numbers.ts';
import { estimateTokens } from '../../../dialects/openai/usage/estimate-tokens.ts';
import { chatFacts } from '../../../dialects/openai-chat/facts.ts';
import { responsesFacts } from '../../../dialects/openai-responses/facts.ts';
import { asksForThoughts } from './asked-thoughts.ts';
import { hasNoEffects } from '../../request/can-repeat.ts';
import { dropsLimit } from '../../request/overridden.ts';
import type { Admitted } from '../../stages.ts';
import { PROMPT_FIELDS, writtenOften } from '../prompt-changes.ts';

// The hold must cover whatever may be sent. So the overrides of every channel a call may go to are read as if the
// caller had written them, and the most expensive combination is held.

/** What overrides may add to the cost of a call. */
export interface Raised {
  /** The service tiers, speeds and places they ask for. */
  readonly terms: readonly ServiceTerms[];
  /** The longest answer they ask for; 0 if none does. */
  readonly outputTokens: number;
  /** An override removes the caller's limit. */
  readonly dropsLimit: boolean;
  /** The most answers they ask for; 1 if none does. */
  readonly answers: number;
  /** The tokens they add to the prompt. */
  readonly inputTokens: number;
  readonly toolCalls: ToolCalls | undefined;
  /** An override may make the model think. */
  readonly thinks: boolean;
  /** They ask for something that cannot be undone: to keep the answer, to draw, or tools with side effects. */
  readonly acts: boolean;
}

const NOTHING: Raised = {
  terms: [],
  outputTokens: 0,
  dropsLimit: false,
  answers: 1,
  inputTokens: 0,
  toolCalls: undefined,
  thinks: false,
  acts: false,
};

/** What the overrides and system prompts of all channels that may serve this call can add to its cost. */
export const raisedByOverrides = (admitted: Admitted): Raised => {
  const { routing, caller, group, request, call } = admitted;
  const { model } = request.facts;
  const pinned = caller.channelId === undefined ? undefined : routing.channels.get(caller.channelId);
  const channels = pinned === undefined ? overridingChannels(routing, group, model) : [pinned];
  let raised = NOTHING;
  for (const channel of channels) {
    const rules = activeOverrides(channel.setting.overrides, { model, group, headers: call.headers });
    const raises = raisedBy(channel, rules);
    const more = promptedTokens(channel, call.operation) + writtenOften(rules, request);
    raised = dearerOf(raised, more === 0 ? raises : { ...raises, inputTokens: raises.inputTokens + more });
  }
  return raised;
};

/** The tiers, speeds and places that a channel's overrides ask for. */
export const termsByOverrides = (
  channel: Channel,
  call: Parameters<typeof activeOverrides>[1],
): readonly ServiceTerms[] =>
  overrides(channel) ? raisedBy(channel, activeOverrides(channel.setting.overrides, call)).terms : [];

const overriding = new WeakMap<readonly Tier[], readonly Channel[]>();
const NO_TIERS: readonly Tier[] = [];

/**
 * The channels of a model that have overrides. Computed once for each configuration, because they are few and only a
 * change of configuration changes them.
 */
const overridingChannels = ({ tiers }: Routing, group: string, model: string): readonly Channel[] => {
  const ofModel = tiers.get(group)?.get(model) ?? NO_TIERS;
  let channels = overriding.get(ofModel);
  if (channels === undefined) {
    channels = ofModel.flatMap(({ channels: of }) => of.filter(overrides));
    overriding.set(ofModel, channels);
  }
  return channels;
};

const overrides = ({ paramOverride, setting }: Channel): boolean =>
  setting.overrides !== undefined ||
  setting.systemPrompt !== undefined ||
  Object.keys(paramOverride).length > 0;

const prompted = new WeakMap<Channel, number>();

/** The tokens of the channel's system prompt. */
const promptedTokens = (channel: Channel, operation: Operation): number => {
  const { systemPrompt } = channel.setting;
  if (systemPrompt === undefined || operation !== 'chat') return 0;
  let tokens = prompted.get(channel);
  if (tokens === undefined) prompted.set(channel, (tokens = estimateTokens(systemPrompt)));
  return tokens;
};

const byRules = new WeakMap<readonly Override[], WeakMap<Fields, Raised>>();
const NO_RULES: readonly Override[] = [];

/** Cached for rules without conditions, because every call gets the same list of them. */
const raisedBy = ({ paramOverride }: Channel, rules: readonly Override[] = NO_RULES): Raised => {
  let known = byRules.get(rules);
  if (known === undefined) byRules.set(rules, (known = new WeakMap()));
  let raised = known.get(paramOverride);
  if (raised === undefined) known.set(paramOverride, (raised = readRaised(paramOverride, rules)));
  return raised;
};

const readRaised = (paramOverride: Fields, rules: readonly Override[]): Raised => {
  const body = writtenBy(paramOverride, rules);
  const numbers = attempt(() => askedNumbers(body)) ?? { answers: MOST_ANSWERS, tokens: 0 };
  return {
    terms: [sentTerms(body)].filter((terms) => Object.keys(terms).length > 0),
    outputTokens: numbers.tokens + thoughtTokens(body),
    dropsLimit: dropsLimit(paramOverride, rules) !== undefined,
    answers: numbers.answers,
    inputTokens: promptTokensOf(body) + replacedTokens(rules),
    toolCalls: toolCallsOf(body),
    thinks: asksForThoughts(body) || hasBudget(body),
    acts: !hasNoEffects(body),
  };
};

const WRITES: ReadonlySet<Override['op']> = new Set(['set', 'append', 'replace']);

/** Everything the overrides write, as one body. */
const writtenBy = (paramOverride: Fields, rules: readonly Override[]): Fields => {
  let body = paramOverride;
  for (const { op, on, path, value } of rules) {
    const names = path.filter((name) => name !== '*' && !/^-?\d+$/.test(name));
    // A replacement within the prompt is counted separately.
    const isOfPrompt = op === 'replace' && PROMPT_FIELDS.includes(names[0] ?? '');
    if (on !== 'body' || !WRITES.has(op) || isOfPrompt) continue;
    // Replacing a text may produce the whole replacement, so assume that.
    const wanted = op === 'append' && isFields(value) ? [value] : value;
    body = fieldsOf(placed(body, names, wanted));
  }
  return body;
};

const placed = (before: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name !== undefined) {
    // A value set inside a list is added as one more item.
    if (Array.isArray(before)) return [...listOf(before), placed(undefined, [name, ...rest], value)];
    const fields = fieldsOf(before);
    return { ...fields, [name]: placed(fields[name], rest, value) };
  }
  if (Array.isArray(value)) return [...listOf(before), ...listOf(value)];
  return isFields(value) && isFields(before) ? { ...before, ...value } : value;
};

/** A value that cannot be read does not affect the price. */
const attempt = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const thoughtTokens = (body: Fields): number => {
  const budget = Number(body['thinking_budget'] ?? 0);
  return Number.isSafeInteger(budget) && budget > 0 ? budget : 0;
};

const hasBudget = (body: Fields): boolean =>
  body['thinking_budget'] !== undefined ||
  fieldsOf(body['generationConfig'] ?? body['generation_config'])['thinkingConfig'] !== undefined;

const promptTokensOf = (body: Fields): number =>
  PROMPT_FIELDS.reduce(
    (sum, name) => sum + (body[name] === undefined ? 0 : (attempt(() => estimateTokens(body[name])) ?? 0)),
    0,
  );

const replacedTokens = (rules: readonly Override[]): number =>
  rules.reduce(
    (sum, { op, on, value }) => sum + (op === 'replace' && on === 'body' ? estimateTokens(value) : 0),
    0,
  );

const FACTS: readonly ((body: Fields) => RequestFacts)[] = [
  chatFacts,
  responsesFacts,
  messagesFacts,
  geminiFacts,
];

/** The upstream's own tools that the body offers, in any format. */
const toolCallsOf = (body: Fields): ToolCalls | undefined => {
  if (
    body['tools'] === undefined &&
    body['web_search_options'] === undefined &&
    body['plugins'] === undefined
  )
    return undefined;
  const least = { model: 'm', messages: [{}], input: 'x', contents: [{}] };
  const { tools, web_search_options, plugins, max_tool_calls } = body;
  const asked = { ...least, tools, web_search_options, plugins, max_tool_calls };
  return FACTS.map((read) => attempt(() => read(asked))?.toolCalls).reduce(mostCalls, undefined);
};

/** The larger number of calls for each tool. */
export const mostCalls = (
  one: ToolCalls | undefined,
  other: ToolCalls | undefined,
): ToolCalls | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  const most: Record<string, number> = { ...one };
  for (const [tool, calls] of priceEntries(other)) most[tool] = Math.max(most[tool] ?? 0, calls);
  return most;
};

const dearerOf = (one: Raised, other: Raised): Raised => ({
  terms: [...one.terms, ...other.terms],
  outputTokens: Math.max(one.outputTokens, other.outputTokens),
  dropsLimit: one.dropsLimit || other.dropsLimit,
  answers: Math.max(one.answers, other.answers),
  inputTokens: Math.max(one.inputTokens, other.inputTokens),
  toolCalls: mostCalls(one.toolCalls, other.toolCalls),
  thinks: one.thinks || other.thinks,
  acts: one.acts || other.acts,
});
