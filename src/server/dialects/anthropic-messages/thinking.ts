import { budgetOfEffort, effortOfBudget } from '#core/chat/effort.ts';
import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import { fieldsOf, otherFields, textOf, type Fields } from '../openai/fields.ts';
import { knowsExtraHigh, refusesForcedTools, thinkingOff, thinkingStyle } from './claude-models.ts';

type Effort = NonNullable<Reasoning['effort']>;

const EFFORTS: ReadonlySet<string> = new Set<Effort>(['low', 'medium', 'high', 'xhigh', 'max']);
/** The least an upstream thinks when it is given a number. */
const LEAST_BUDGET = 1024;

export const isEffort = (value: unknown): value is Effort => typeof value === 'string' && EFFORTS.has(value);

/** How hard to think, from `thinking` and the effort of `output_config`; undefined when neither says anything. */
export const readReasoning = (thinking: unknown, effort: unknown): Reasoning | undefined => {
  const fields = fieldsOf(thinking);
  const word = isEffort(effort) ? { effort } : {};
  const summary = fields['display'] === 'summarized' ? { summary: 'auto' } : {};
  const budget = fields['budget_tokens'];
  switch (fields['type']) {
    case 'enabled':
      return {
        enabled: true,
        ...(typeof budget === 'number' && { budgetTokens: budget }),
        ...summary,
        ...word,
      };
    case 'adaptive':
      return { enabled: true, ...summary, ...word };
    case 'disabled':
      return { enabled: false, ...word };
    default:
      return isEffort(effort) ? { effort } : undefined;
  }
};

const KNOWN = new Set(['type', 'budget_tokens']);

/** What our words do not hold of `thinking`: all of it when its type is new, else what stands beside. */
export const otherThinking = (thinking: unknown): Fields | undefined => {
  const fields = fieldsOf(thinking);
  const type = textOf(fields['type']);
  if (type !== undefined && type !== 'enabled' && type !== 'adaptive' && type !== 'disabled') return fields;
  const rest = otherFields(fields, KNOWN);
  if (rest?.['display'] !== 'summarized') return rest;
  return otherFields(rest, new Set(['display']));
};

export interface WrittenThinking {
  readonly thinking?: Fields;
  readonly effort?: string;
}

/**
 * How hard to think, in the words the model knows: a number of tokens, or leaving it to the model with a word for the
 * effort. Left out where the format forbids it: with a tool that must be called, without room for the least of thoughts,
 * and in the middle of a tool loop whose thoughts another upstream had.
 */
export const writeThinking = (request: ChatRequest): WrittenThinking => {
  const { reasoning, model } = request;
  const mustCall = isForced(request) && !refusesForcedTools(model);
  if (reasoning === undefined) return mustCall ? writeForced(model) : {};
  const style = thinkingStyle(model);
  const { effort, budgetTokens } = reasoning;
  const word = effort === undefined || effort === 'none' ? {} : { effort: wordFor(effort, model) };
  if (reasoning.enabled === false) return writeOff(model, word.effort);
  const isOff = effort === 'none' || (budgetTokens === 0 && reasoning.enabled === undefined);
  if (isOff) return style === 'none' || thinkingOff(model) === 'unsaid' ? {} : writeOff(model);
  if (style === 'none') return {};
  if (mustCall) return writeForced(model, word.effort);
  const display = reasoning.summary === undefined ? {} : { display: 'summarized' };
  const wantsBudget = budgetTokens !== undefined && budgetTokens > 0;
  const isAdaptive =
    style === 'adaptive' ||
    (!wantsBudget && (style === 'either' || (style === 'unknown' && reasoning.enabled === true)));
  if (isAdaptive) {
    const given = wantsBudget && effort === undefined ? effortOfBudget(budgetTokens) : effort;
    return {
      thinking: { type: 'adaptive', ...display },
      ...(given !== undefined && given !== 'none' && { effort: wordFor(given, model) }),
    };
  }
  const budget = fitting(wantsBudget ? budgetTokens : budgetOfEffort(effort ?? 'medium'), request);
  if (budget === undefined || isForeignLoop(request)) return {};
  // Next to a number the word is a second wish of its own, which only a caller of this format can have.
  const beside = wantsBudget ? word : {};
  return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, ...beside };
};

/** No thinking beside a tool that has to be called: models that think unless they are told not to are told. */
const writeForced = (model: string, effort?: string): WrittenThinking =>
  thinkingStyle(model) === 'adaptive' && thinkingOff(model) === 'disabled' ? writeOff(model, effort) : {};

/** Those that always think are told to think little; those that can stop do so up to a high effort. */
const writeOff = (model: string, effort?: string): WrittenThinking => {
  const off = thinkingOff(model);
  if (off === 'never') return { effort: 'low' };
  const word = effort === undefined ? {} : { effort };
  if (off === 'between-tools') return { thinking: { type: 'between_tools' }, ...withinHigh(word) };
  return {
    thinking: { type: 'disabled' },
    ...(thinkingStyle(model) === 'adaptive' ? withinHigh(word) : word),
  };
};

const withinHigh = ({ effort }: WrittenThinking): WrittenThinking => {
  if (effort === undefined) return {};
  return { effort: effort === 'xhigh' || effort === 'max' ? 'high' : effort };
};

const wordFor = (effort: Effort, model: string): string => {
  if (effort === 'minimal') return 'low';
  return effort === 'xhigh' && !knowsExtraHigh(model) ? 'high' : effort;
};

/** Thoughts are a part of the answer and must leave room for the rest of it. */
const fitting = (budget: number, { maxOutputTokens }: ChatRequest): number | undefined => {
  const wanted = Math.max(budget, LEAST_BUDGET);
  if (maxOutputTokens === undefined || maxOutputTokens > wanted) return wanted;
  return maxOutputTokens > LEAST_BUDGET ? maxOutputTokens - 1 : undefined;
};

export const isForced = ({ toolChoice, tools }: Pick<ChatRequest, 'toolChoice' | 'tools'>): boolean =>
  (tools?.length ?? 0) > 0 && (toolChoice === 'required' || typeof toolChoice === 'object');

/** The last answer called tools and its thoughts are not ours: this format wants them back or no thinking at all. */
const isForeignLoop = ({ messages }: ChatRequest): boolean => {
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last === undefined || !last.content.some((part) => part.type === 'tool-call')) return false;
  const after = messages.slice(messages.lastIndexOf(last) + 1);
  const isAnswered = after.some(({ content }) => content.some((part) => part.type === 'tool-result'));
  const [first] = last.content;
  const isOurs = first?.type === 'reasoning' && first.signatureFrom === 'anthropic-messages';
  return isAnswered && !isOurs;
};
