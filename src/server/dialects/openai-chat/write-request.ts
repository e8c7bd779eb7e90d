import { heldWholeBy } from '#core/chat/held-whole.ts';
import { requireSayable, requireSayableParts } from '#core/chat/require-sayable.ts';
import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '../openai/fields.ts';
import { writeEffort } from './reasoning.ts';
import { writeMessages } from './write-messages.ts';

/** A chat request in the OpenAI format. What only other formats can say is left out. */
export const writeRequest = (request: ChatRequest): Fields => {
  requireSayable(request, 'openai-chat');
  requireSayableParts(request.messages, 'openai-chat');
  const extras = request.extras['openai-chat'] ?? {};
  const effort = writeEffort(request.reasoning, extras);
  const fields: Record<string, unknown> = {
    model: request.model,
    messages: writeMessages(request.messages),
    stream: request.stream ? true : undefined,
    tools: request.tools?.map(writeTool),
    tool_choice: request.toolChoice === undefined ? undefined : writeToolChoice(request.toolChoice),
    parallel_tool_calls: request.parallelToolCalls,
    max_tokens: extras['max_completion_tokens'] === undefined ? request.maxOutputTokens : undefined,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    stop: request.stop,
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    n: request.choices,
    response_format:
      request.responseFormat === undefined ? undefined : writeResponseFormat(request.responseFormat),
    reasoning_effort: effort,
    user: request.endUser,
    modalities: request.imagesAskedBy !== undefined ? (extras['modalities'] ?? ['image', 'text']) : undefined,
  };
  const written: Record<string, unknown> = { ...extras };
  for (const key in fields) if (fields[key] !== undefined) written[key] = fields[key];
  return written;
};

const writeTool = (tool: Tool, index: number): Fields => {
  const extras = tool.extras?.['openai-chat'] ?? {};
  const holder = heldWholeBy(tool.extras);
  if (holder === 'openai-chat') return extras;
  // With parameters it is a function as well.
  if (holder !== undefined && tool.parameters === undefined) {
    const message = `'tools.${index}': '${tool.name}' is a tool that only exists in the ${holder} format`;
    throw new AppError('invalid_request', message, { param: `tools.${index}`, reason: 'unsupported_tool' });
  }
  return {
    ...extras,
    type: 'function',
    function: {
      name: tool.name,
      ...(tool.description !== undefined && { description: tool.description }),
      ...(tool.parameters !== undefined && { parameters: tool.parameters }),
      ...(tool.strict !== undefined && { strict: tool.strict }),
    },
  };
};

const writeToolChoice = (choice: ToolChoice): unknown =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

const writeResponseFormat = (format: ResponseFormat): Fields => {
  if (format.type === 'text') return { type: 'text' };
  if (format.type === 'json') return { type: 'json_object' };
  const { type: _, ...schema } = format;
  return { type: 'json_schema', json_schema: schema };
};
