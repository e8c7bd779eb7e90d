import { effortOfBudget } from '#core/chat/effort.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Fields } from '../../dialects/openai/fields.ts';

export const isNova = (model: string): boolean => /amazon\.nova/.test(model);

/** Makers whose models are held to a schema (docs.aws.amazon.com/bedrock, structured outputs). */
export const knowsConverseSchemas = (model: string): boolean =>
  /(?:^|[./])(?:deepseek|google|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|zai)\./.test(model);

interface ReasoningFields {
  /** What the model itself reads beside the common fields. */
  readonly additional: Fields | undefined;
  /** Whether limits of the answer may be told as well. */
  readonly limits: boolean;
}

/**
 * How hard to think, in the words of the models that can be told: Amazon's Nova since the second, and OpenAI's
 * (docs.aws.amazon.com/nova, extended thinking; model cards of gpt-oss). Others think as they do.
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
  // Thinking as hard as it can, it refuses every limit; one that the caller set counts more.
  const limits = word !== 'high' || maxOutputTokens !== undefined;
  const maxReasoningEffort = word === 'high' && limits ? 'medium' : word;
  return { additional: { reasoningConfig: { type: 'enabled', maxReasoningEffort } }, limits };
};
