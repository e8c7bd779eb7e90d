import { onlyFormatOf } from '#core/chat/only-format.ts';
import { narrowTools } from '#core/chat/narrow-tools.ts';
import { requireSupported, requireSupportedParts } from '#core/chat/require-supported.ts';
import type { ChatRequest, PlainToolChoice, ResponseFormat, Tool } from '#core/chat/request.ts';
import { unsupportedTool } from '#core/chat/unsupported-tool.ts';
import type { Fields } from '#core/json/fields.ts';
import { schemaName } from '../../openai/response-format.ts';
import { withFunctions } from '../legacy-functions.ts';
import { STANDS_IN } from './read-tools.ts';
import { writeEffort } from './reasoning.ts';
import { writeSpeech } from '../speech.ts';
import { writeMessages } from './write-messages.ts';

/** Writes a chat request in the OpenAI format. What only other formats can express is dropped. */
export const writeRequest = (asked: ChatRequest): Fields => {
  const keepsChoice = asked.extras['openai-chat']?.['tool_choice'] !== undefined;
  const { toolChoice: _, ...rest } = asked;
  // A tool choice of a caller of this format is sent unchanged.
  const request = narrowTools(keepsChoice ? rest : asked);
  requireSupported(request, 'openai-chat');
  requireSupportedParts(request.messages, 'openai-chat');
  const extras = request.extras['openai-chat'] ?? {};
  const asksForLogprobs = request.logprobs !== undefined && extras['logprobs'] === undefined;
  const effort = writeEffort(request.reasoning, extras);
  const fields: Record<string, unknown> = {
    model: request.model,
    messages: writeMessages(request.messages, customTools(request)),
    stream: request.stream ? true : undefined,
    tools: writeTools(request.tools),
    tool_choice: request.toolChoice === undefined ? undefined : writeToolChoice(request.toolChoice),
    parallel_tool_calls: request.parallelToolCalls,
    [extras['max_completion_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens']:
      request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    stop: request.stop,
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    n: request.choices,
    logprobs: asksForLogprobs ? true : undefined,
    top_logprobs: asksForLogprobs ? request.logprobs?.top : undefined,
    response_format:
      request.responseFormat === undefined ? undefined : writeResponseFormat(request.responseFormat),
    reasoning_effort: effort,
    user: request.endUser,
    modalities: request.imagesAskedBy !== undefined ? (extras['modalities'] ?? ['image', 'text']) : undefined,
  };
  const written: Record<string, unknown> = { ...extras, ...writeSpeech(request) };
  for (const key in fields) if (fields[key] !== undefined) written[key] = fields[key];
  return withFunctions(written);
};

/** The custom tools that this format declared; calls of all other tools are written as functions. */
const customTools = ({ tools = [] }: Pick<ChatRequest, 'tools'>): ReadonlySet<string> =>
  new Set(
    tools.filter(({ extras }) => extras?.['openai-chat']?.['type'] === 'custom').map(({ name }) => name),
  );

/** Writes the tools, except for those that have a request field of their own, such as web search. */
const writeTools = (tools: readonly Tool[] | undefined): Fields[] | undefined => {
  const written = tools?.flatMap(writeTool);
  return written?.length === 0 && (tools?.length ?? 0) > 0 ? undefined : written;
};

const writeTool = (tool: Tool, index: number): Fields[] => {
  const extras = tool.extras?.['openai-chat'] ?? {};
  const holder = onlyFormatOf(tool.extras);
  if (holder === 'openai-chat') return extras['type'] === STANDS_IN ? [] : [extras];
  const refusal = unsupportedTool(tool, index, 'openai-chat');
  if (refusal !== undefined) throw refusal;
  const declared = {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.parameters !== undefined && { parameters: tool.parameters }),
    ...(tool.strict !== undefined && { strict: tool.strict }),
  };
  return [{ ...extras, type: 'function', function: declared }];
};

const writeToolChoice = (choice: PlainToolChoice): unknown =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

const writeResponseFormat = (format: ResponseFormat): Fields => {
  if (format.type === 'text') return { type: 'text' };
  if (format.type === 'json') return { type: 'json_object' };
  const { type: _, ...schema } = format;
  return { type: 'json_schema', json_schema: { ...schema, name: schemaName(format.name) } };
};
