import { budgetOfEffort, effortOfBudget } from '#core/chat/effort.ts';
import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import { fieldsOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { isEffort } from '../../openai/effort.ts';
import { knowsExtraHigh, refusesForcedTools, thinkingOff, thinkingStyle } from '../claude-models.ts';

type Effort = NonNullable<Reasoning['effort']>;

/** The minimum thinking budget of an upstream. */
export const LEAST_BUDGET = 1024;

const TYPES: ReadonlySet<unknown> = new Set(['enabled', 'adaptive', 'disabled', 'between_tools']);

/** Whether it is a type of `thinking`. */
export const isThinking = (type: unknown): boolean => TYPES.has(type);

/** Reads the thinking effort from `thinking` and `output_config`; undefined if neither sets it. */
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

/** Fields of `thinking` without a common form: all of it if its type is new. */
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
 * Writes the thinking options the model knows: a token budget, or adaptive thinking with an effort. Left out where the
 * format forbids it: with a forced tool, without room for the minimum budget, and in a tool loop with another
 * upstream's thoughts.
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
  // An effort besides a budget is a separate option, which only callers of this format can set.
  const beside = wantsBudget ? word : {};
  return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, ...beside };
};

/** A forced tool excludes thinking: models that think by default are told not to. */
const writeForced = (model: string, effort?: string): WrittenThinking =>
  thinkingStyle(model) === 'adaptive' && thinkingOff(model) === 'disabled' ? writeOff(model, effort) : {};

/** Models that cannot stop thinking get a low effort; the others can stop, up to a high effort. */
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

/** Thinking counts as output and must leave room for the answer. */
const fitting = (budget: number, { maxOutputTokens }: ChatRequest): number | undefined => {
  const wanted = Math.max(budget, LEAST_BUDGET);
  if (maxOutputTokens === undefined || maxOutputTokens > wanted) return wanted;
  return maxOutputTokens > LEAST_BUDGET ? maxOutputTokens - 1 : undefined;
};

/** Whether the answer must call a tool, which rules out thinking. */
export const isForced = ({ toolChoice, tools }: Pick<ChatRequest, 'toolChoice' | 'tools'>): boolean =>
  (tools?.length ?? 0) > 0 && (toolChoice === 'required' || typeof toolChoice === 'object');

/**
 * Whether the last answer called tools with another upstream's thoughts: this format requires its own thoughts or no
 * thinking.
 */
const isForeignLoop = ({ messages }: ChatRequest): boolean => {
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last === undefined || !last.content.some((part) => part.type === 'tool-call')) return false;
  const after = messages.slice(messages.lastIndexOf(last) + 1);
  const isAnswered = after.some(({ content }) => content.some((part) => part.type === 'tool-result'));
  // Consecutive assistant messages are one turn here.
  const begun = messages
    .slice(0, messages.lastIndexOf(last))
    .findLastIndex(({ role }) => role !== 'assistant');
  const first = messages[begun + 1]?.content[0];
  const isOurs = first?.type === 'reasoning' && first.signatureFrom === 'anthropic-messages';
  return isAnswered && !isOurs;
};
