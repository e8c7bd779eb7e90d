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
  const { enabled, effort, budgetTokens } = reasoning;
  const word = effortWord(effort, model);
  if (enabled === false) return writeOff(model, word.effort);
  const style = thinkingStyle(model);
  const isOff = effort === 'none' || (budgetTokens === 0 && enabled === undefined);
  if (isOff) return style === 'none' || thinkingOff(model) === 'unsaid' ? {} : writeOff(model);
  if (style === 'none') return {};
  if (mustCall) return writeForced(model, word.effort);
  return takesAdaptive(style, reasoning) ? writeAdaptive(reasoning, model) : writeBudget(reasoning, request);
};

const effortWord = (effort: Effort | undefined, model: string): { readonly effort?: string } =>
  effort === undefined || effort === 'none' ? {} : { effort: wordFor(effort, model) };

/** The budget the caller asks for, if any. */
const wantedBudget = ({ budgetTokens = 0 }: Reasoning): number | undefined =>
  budgetTokens > 0 ? budgetTokens : undefined;

const takesAdaptive = (style: ReturnType<typeof thinkingStyle>, reasoning: Reasoning): boolean => {
  if (style === 'adaptive') return true;
  if (wantedBudget(reasoning) !== undefined) return false;
  return style === 'either' || (style === 'unknown' && reasoning.enabled === true);
};

const displayOf = ({ summary }: Reasoning): Fields =>
  summary === undefined ? {} : { display: 'summarized' };

/** Adaptive thinking has no budget: one that the caller asks for becomes an effort. */
const writeAdaptive = (reasoning: Reasoning, model: string): WrittenThinking => {
  const budget = wantedBudget(reasoning);
  const asked = reasoning.effort ?? (budget === undefined ? undefined : effortOfBudget(budget));
  return {
    thinking: { type: 'adaptive', ...displayOf(reasoning) },
    ...effortWord(asked, model),
  };
};

/** A token budget: the caller's, or one for its effort. */
const writeBudget = (reasoning: Reasoning, request: ChatRequest): WrittenThinking => {
  const wanted = wantedBudget(reasoning);
  const budget = fitting(wanted ?? budgetOfEffort(reasoning.effort ?? 'medium'), request);
  if (budget === undefined || isForeignLoop(request)) return {};
  // An effort besides a budget is a separate option, which only callers of this format can set.
  const beside = wanted === undefined ? {} : effortWord(reasoning.effort, request.model);
  return { thinking: { type: 'enabled', budget_tokens: budget, ...displayOf(reasoning) }, ...beside };
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
