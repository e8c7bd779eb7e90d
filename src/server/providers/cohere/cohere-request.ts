import { budgetOfEffort } from '#core/chat/effort.ts';
import { narrowTools, type NarrowRequest } from '#core/chat/narrow-tools.ts';
import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import { requireOneAnswer, requireTextAnswer } from '#core/chat/require-supported.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';

/** Fields that have the same name as OpenAI's. */
const SAME = ['model', 'stream', 'temperature', 'seed', 'presence_penalty', 'frequency_penalty'];

/**
 * Writes a chat in Cohere's own format, version 2 (docs.cohere.com/reference/chat). Messages, tools and tool calls are
 * OpenAI's; other fields have other names. Throws
 * `invalid_request` for several choices and for pictures as an answer, which Cohere does not offer.
 */
export const writeCohere = (asked: ChatRequest): Fields => {
  const request = narrowTools(asked);
  requireOneAnswer(request);
  requireTextAnswer(request);
  const body = openaiChat.writeRequest(request);
  const named = typeof request.toolChoice === 'object' ? request.toolChoice.name : undefined;
  const tools = listOf(body['tools'])
    .map(withoutStrict)
    .filter((tool) => named === undefined || fieldsOf(tool['function'])['name'] === named);
  const fields: Fields = {
    ...Object.fromEntries(SAME.map((name) => [name, body[name]])),
    messages: listOf(body['messages']).map(writeMessage),
    max_tokens: request.maxOutputTokens,
    p: request.topP,
    k: request.topK,
    stop_sequences: request.stop,
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: writeToolChoice(request),
    response_format: writeFormat(request),
    thinking: request.reasoning === undefined ? undefined : writeThinking(request.reasoning),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
};

const writeMessage = (item: unknown): Fields => {
  const { role, content, tool_calls: calls, tool_call_id: callId } = fieldsOf(item);
  return {
    role: role === 'developer' ? 'system' : role,
    ...(content !== undefined && content !== null && { content }),
    ...(calls !== undefined && { tool_calls: calls }),
    ...(callId !== undefined && { tool_call_id: callId }),
  };
};

const withoutStrict = (tool: unknown): Fields => {
  const { strict: _, ...declared } = fieldsOf(fieldsOf(tool)['function']);
  return { type: 'function', function: { parameters: { type: 'object', properties: {} }, ...declared } };
};

/** Cohere cannot choose a function by name; instead only that tool is sent, and it is required. */
const writeToolChoice = ({ toolChoice }: NarrowRequest): string | undefined => {
  if (toolChoice === undefined || toolChoice === 'auto') return undefined;
  return toolChoice === 'none' ? 'NONE' : 'REQUIRED';
};

const writeFormat = ({ responseFormat: format }: ChatRequest): Fields | undefined => {
  if (format === undefined || format.type === 'text') return undefined;
  return format.type === 'json'
    ? { type: 'json_object' }
    : { type: 'json_object', json_schema: format.schema };
};

const writeThinking = ({ enabled, effort, budgetTokens }: Reasoning): Fields => {
  if (enabled === false || effort === 'none' || budgetTokens === 0) return { type: 'disabled' };
  const budget = budgetTokens ?? (effort === undefined ? undefined : budgetOfEffort(effort));
  return { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) };
};
