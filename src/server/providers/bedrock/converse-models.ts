import { effortOfBudget } from '#core/chat/effort.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';

/** Whether it is one of Amazon's Nova models. */
export const isNova = (model: string): boolean => /amazon\.nova/.test(model);

/** Whether a model of this maker accepts a JSON Schema (docs.aws.amazon.com/bedrock, structured outputs). */
export const knowsConverseSchemas = (model: string): boolean =>
  /(?:^|[./])(?:deepseek|google|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|zai)\./.test(model);

interface ReasoningFields {
  /** Model-specific fields next to the common ones. */
  readonly additional: Fields | undefined;
  /** Whether an output limit may be sent as well. */
  readonly limits: boolean;
}

/**
 * The reasoning effort, for the models that take one: Amazon's Nova since version 2, and OpenAI's
 * (docs.aws.amazon.com/nova, extended thinking; model cards of gpt-oss). Other models get no field.
 */
export const reasoningFields = ({ model, reasoning, maxOutputTokens }: ChatRequest): ReasoningFields => {
  const plain = { additional: undefined, limits: true };
  if (reasoning === undefined) return plain;
  const { effort, budgetTokens, enabled } = reasoning;
  const budgeted = budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens);
  const wanted = enabled === false ? 'none' : (effort ?? budgeted ?? (enabled === true ? 'medium' : 'none'));
  if (wanted === 'none') return plain;
  const word = wanted === 'minimal' ? 'low' : wanted === 'xhigh' || wanted === 'max' ? 'high' : wanted;
  if (/openai\.gpt-oss/.test(model)) return { additional: { reasoning_effort: word }, limits: true };
  if (!/amazon\.nova-2/.test(model)) return plain;
  // At high effort Nova refuses every limit. The caller's own limit is sent all the same.
  const limits = word !== 'high' || maxOutputTokens !== undefined;
  const maxReasoningEffort = word === 'high' && limits ? 'medium' : word;
  return { additional: { reasoningConfig: { type: 'enabled', maxReasoningEffort } }, limits };
};
