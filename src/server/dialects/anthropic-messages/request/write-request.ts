import { onlyFormatOf } from '#core/chat/only-format.ts';
import { messageField } from '#core/chat/places.ts';
import { formatInWords } from '#core/chat/format-in-words.ts';
import { narrowTools, type NarrowRequest } from '#core/chat/narrow-tools.ts';
import type { ChatRequest, Message, Tool, WebSearch } from '#core/chat/request.ts';
import {
  requireNoVideos,
  requireOneAnswer,
  requireSupported,
  requireSupportedParts,
  requireTextAnswer,
} from '#core/chat/require-supported.ts';
import { unsupportedTool } from '#core/chat/unsupported-tool.ts';
import { fieldsOf, type Fields } from '#core/json/fields.ts';
import { knowsSchemas, refusesForcedTools, samplingOf } from '../claude-models.ts';
import { fitSchema } from './fit-schema.ts';
import { flatSchema } from '#core/json/flat-schema.ts';
import { isForced, writeThinking } from './thinking.ts';
import { IN_PLACE } from './read-request.ts';
import { withGeneratedPictures } from '../parts/drawn-pictures.ts';
import { writeBlocks, writeContent } from '../parts/write-parts.ts';

/**
 * Writes a chat request in the Messages format. What it cannot express is left out if the answer keeps its meaning
 * (listed in docs/dialects.md), else refused with `invalid_request` naming the field. `max_tokens`, which the format
 * requires, is set only if the caller gave it: the provider adds the operator's default.
 */
export const writeRequest = (asked: ChatRequest): Fields => {
  const request = narrowTools(asked);
  requireSupported(request, 'anthropic-messages');
  requireSupportedParts(request.messages, 'anthropic-messages');
  requireTextAnswer(request);
  requireNoVideos(request.messages);
  requireOneAnswer(request);
  const extras = request.extras['anthropic-messages'] ?? {};
  const { thinking, effort } = keepsThinking(extras) ? {} : writeThinking(request);
  const isThinking = thinking !== undefined && thinking['type'] !== 'disabled';
  const { system, messages } = writeMessages(request);
  const fields: Record<string, unknown> = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    system,
    messages,
    stream: request.stream ? true : undefined,
    tools: request.tools?.map(writeTool(request.model)),
    tool_choice: writeToolChoice(request),
    ...writeSampling(request, isThinking),
    stop_sequences: request.stop,
    thinking: thinking === undefined ? undefined : { ...thinking, ...fieldsOf(extras['thinking']) },
    output_config: writeOutputConfig(request, effort, fieldsOf(extras['output_config'])),
    metadata:
      request.endUser === undefined
        ? undefined
        : { ...fieldsOf(extras['metadata']), user_id: request.endUser },
  };
  const written: Record<string, unknown> = { ...extras };
  for (const key in fields) if (fields[key] !== undefined) written[key] = fields[key];
  return written;
};

/** Thinking options of this format that have no common form are sent unchanged. */
const keepsThinking = (extras: Fields): boolean =>
  fieldsOf(extras['thinking'])['type'] !== undefined ||
  fieldsOf(extras['output_config'])['effort'] !== undefined;

const writeMessages = (request: NarrowRequest): { readonly system: unknown; readonly messages: Fields[] } => {
  const instructions = request.messages.filter(isInstruction);
  const turns = request.messages.filter((message) => !isInstruction(message));
  const parts = instructions.flatMap(({ content }) => content);
  const rules = [formatRule(request), choiceInWords(request)].filter((words) => words !== undefined);
  parts.push(...rules.map((text) => ({ type: 'text' as const, text })));
  const system = parts.length === 0 ? undefined : writeContent(parts, 'system');
  const messages = joinResults(withGeneratedPictures(turns));
  // A request needs a message: if the caller only gave instructions, they become the question.
  if (messages.length === 0 && system !== undefined)
    return { system: undefined, messages: [{ role: 'user', content: system }] };
  return { system: system === '' || system?.length === 0 ? undefined : system, messages };
};

/** The answer's format as an instruction, if the format or model has no field for it. */
const formatRule = ({ model, responseFormat }: NarrowRequest): string | undefined =>
  responseFormat?.type === 'json-schema' && knowsSchemas(model) ? undefined : formatInWords(responseFormat);

/** An instruction to call a tool, for models that do not accept a forced tool choice. */
const choiceInWords = (request: NarrowRequest): string | undefined => {
  const { model, toolChoice } = request;
  if (!isForced(request) || !refusesForcedTools(model)) return undefined;
  return typeof toolChoice === 'object'
    ? `Answer by calling the tool '${toolChoice.name}'.`
    : 'Answer by calling at least one of the tools.';
};

/** Instructions of callers of this format stay where they stand: Claude reads them there. */
const isInstruction = ({ role, extras }: Message): boolean =>
  (role === 'system' && extras?.['anthropic-messages']?.[IN_PLACE] !== true) || role === 'developer';

const ROLES: Partial<Readonly<Record<Message['role'], string>>> = {
  assistant: 'assistant',
  system: 'system',
};

/** Puts the results of one turn's calls into one message, with what the user says next. */
const joinResults = (messages: readonly Message[]): Fields[] => {
  const written: { role: string; content: string | Fields[]; isOfResults: boolean; extras: Fields }[] = [];
  for (const [index, message] of messages.entries()) {
    const where = messageField(message, index);
    const last = written.at(-1);
    const role = ROLES[message.role] ?? 'user';
    if (role === 'user' && last?.isOfResults === true && Array.isArray(last.content)) {
      last.content.push(...writeBlocks(message.content, where));
      continue;
    }
    const isOfResults = message.role === 'tool';
    const content = isOfResults ? writeBlocks(message.content, where) : writeContent(message.content, where);
    // The format refuses empty messages.
    if (content.length === 0) continue;
    const { [IN_PLACE]: _, ...extras } = message.extras?.['anthropic-messages'] ?? {};
    written.push({ role, content, isOfResults, extras });
  }
  return written.map(({ role, content, extras }) => ({ role, content, ...extras }));
};

/** More are refused (langchain4j#5128: "a limit of 20 strict tools per request"). */
const MOST_STRICT_TOOLS = 20;

const writeTool = (model: string) => {
  let strictLeft = knowsSchemas(model) ? MOST_STRICT_TOOLS : 0;
  return (tool: Tool, index: number): Fields => {
    const extras = tool.extras?.['anthropic-messages'] ?? {};
    const holder = onlyFormatOf(tool.extras);
    if (holder === 'anthropic-messages') return extras;
    const refusal = unsupportedTool(tool, index, 'anthropic-messages');
    if (refusal !== undefined) throw refusal;
    if (tool.webSearch !== undefined) return writeWebSearch(tool.webSearch);
    const { schema, inWords } = flatSchema(tool.parameters);
    const description = [tool.description, inWords].filter((text) => text !== undefined).join('\n\n');
    // What is only described in words cannot be enforced, and a schema that is enforced has fewer keywords.
    const isStrict = tool.strict === true && inWords === undefined && strictLeft > 0;
    if (isStrict) strictLeft -= 1;
    return {
      name: tool.name,
      ...((tool.description !== undefined || inWords !== undefined) && { description }),
      input_schema: isStrict ? fitSchema(schema) : schema,
      ...(tool.strict !== undefined && knowsSchemas(model) && { strict: isStrict }),
      ...extras,
    };
  };
};

/** The oldest version of the search tool, which all searching models support. */
const writeWebSearch = ({ allowedDomains, blockedDomains, mostSearches, place }: WebSearch): Fields => ({
  type: 'web_search_20250305',
  name: 'web_search',
  ...(mostSearches !== undefined && { max_uses: mostSearches }),
  ...(allowedDomains !== undefined && { allowed_domains: allowedDomains }),
  ...(blockedDomains !== undefined && { blocked_domains: blockedDomains }),
  ...(place !== undefined && { user_location: { type: 'approximate', ...place } }),
});

const writeToolChoice = (request: NarrowRequest): Fields | undefined => {
  const { model, tools, toolChoice, parallelToolCalls } = request;
  if ((tools?.length ?? 0) === 0) return undefined;
  if (toolChoice === undefined)
    return parallelToolCalls === false ? { type: 'auto', disable_parallel_tool_use: true } : undefined;
  if (toolChoice === 'none') return { type: 'none' };
  const single = parallelToolCalls === undefined ? {} : { disable_parallel_tool_use: !parallelToolCalls };
  if (isForced(request) && refusesForcedTools(model)) return { type: 'auto', ...single };
  if (typeof toolChoice === 'object') return { type: 'tool', name: toolChoice.name, ...single };
  return { type: toolChoice === 'required' ? 'any' : 'auto', ...single };
};

/**
 * Sampling options the model accepts: almost none while thinking or on new models, one of two on older ones; 0 to 1.
 */
const writeSampling = (request: ChatRequest, isThinking: boolean): Fields => {
  const accepted = samplingOf(request.model);
  const { temperature, topP, topK } = request;
  if (accepted === 'none') return {};
  const isDouble = accepted === 'one' && temperature !== undefined && topP !== undefined;
  if (isThinking)
    return {
      temperature: temperature === 1 ? 1 : undefined,
      top_p: (topP ?? 0) >= 0.95 && !(isDouble && temperature === 1) ? topP : undefined,
    };
  return {
    temperature: temperature === undefined ? undefined : Math.min(Math.max(temperature, 0), 1),
    top_p: isDouble ? undefined : topP,
    top_k: topK,
  };
};

const writeOutputConfig = (
  request: ChatRequest,
  effort: string | undefined,
  kept: Fields,
): Fields | undefined => {
  const { responseFormat } = request;
  const isNamed = request.extras['anthropic-messages']?.['output_format'] !== undefined;
  const format =
    responseFormat?.type === 'json-schema' && !isNamed && knowsSchemas(request.model)
      ? { format: { type: 'json_schema', schema: fitSchema(responseFormat.schema) } }
      : {};
  const config = { ...kept, ...(effort !== undefined && { effort }), ...format };
  return Object.keys(config).length === 0 ? undefined : config;
};
