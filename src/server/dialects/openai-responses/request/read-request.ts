import { z } from 'zod';
import type {
  ChatRequest,
  Message,
  Reasoning,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '#core/chat/request.ts';
import { flag, knob, modelName, parseBounds, tokenCount } from '../../openai/bounds.ts';
import { readChoiceWord } from '../../openai/tools/choice-word.ts';
import { isEffort } from '../../openai/effort.ts';
import {
  fieldsOf,
  isFields,
  listOf,
  otherFields,
  textOf,
  type Fields,
  wordOf,
  isGiven,
  onlyGiven,
} from '#core/json/fields.ts';
import { withoutNamespaces } from '../parts/namespaces.ts';
import { readFormat } from '../../openai/response-format.ts';
import { freeTextTool } from '../../openai/tools/free-text.ts';
import { webSearch } from '../../openai/tools/web-search.ts';
import { isOffline, LOGPROBS, readOnlyIn } from '../only-in.ts';
import { readItems } from '../parts/read-items.ts';
import { ownExtras } from '../parts/read-parts.ts';

const wire = z.object({
  model: modelName,
  input: z.union([z.string(), z.array(z.unknown())]).nullish(),
  instructions: z.string().nullish(),
  stream: flag,
  tools: z.array(z.record(z.string(), z.unknown())).nullish(),
  parallel_tool_calls: flag,
  max_output_tokens: tokenCount,
  temperature: knob,
  top_p: knob,
  user: z.string().nullish(),
});

/** Fields that a chat request has too; all others are kept as extras. */
const KNOWN = new Set([...Object.keys(wire.shape), 'tool_choice', 'text', 'reasoning']);

/** Reads a Responses request. Throws `invalid_request` naming the field that is wrong. */
export const readRequest = (body: unknown): ChatRequest => {
  const fields = withoutNamespaces(fieldsOf(body));
  const request = parseBounds(wire, fields);
  const extras: Record<string, unknown> = { ...otherFields(fields, KNOWN) };
  const { instructions } = request;
  const items = readItems(request.input ?? []);
  const onlyIn = [...readOnlyIn(fields), ...(items.onlyIn ?? [])];
  const read: { [Key in keyof ChatRequest]?: ChatRequest[Key] | null | undefined } = {
    tools: readTools(request.tools, extras),
    toolChoice: readToolChoice(fields['tool_choice'], extras),
    parallelToolCalls: request.parallel_tool_calls,
    maxOutputTokens: request.max_output_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    responseFormat: readText(fieldsOf(fields['text']), extras),
    reasoning: readReasoning(fieldsOf(fields['reasoning']), extras),
    endUser: request.user,
    logprobs: readLogprobs(fields),
    onlyIn: onlyIn.length === 0 ? undefined : onlyIn,
  };
  return {
    model: request.model,
    stream: request.stream ?? false,
    messages: [...readInstructions(instructions), ...items.messages],
    ...onlyGiven(read),
    extras: { 'openai-responses': extras },
  };
};

/** Log probabilities are requested by `top_logprobs` or by an entry in `include`. */
const readLogprobs = ({ top_logprobs: top, include }: Fields): ChatRequest['logprobs'] => {
  const most = typeof top === 'number' && top > 0 ? { top } : undefined;
  return most ?? (listOf(include).includes(LOGPROBS) ? {} : undefined);
};

const readInstructions = (instructions: string | null | undefined): Message[] =>
  instructions === undefined || instructions === null || instructions === ''
    ? []
    : [{ role: 'system', content: [{ type: 'text', text: instructions }] }];

/** Reads the caller's own tools; tools that the upstream runs are kept in the extras. */
const readTools = (
  tools: readonly Fields[] | null | undefined,
  extras: Record<string, unknown>,
): Tool[] | undefined => {
  const hosted = tools?.filter((tool) => readTool(tool) === undefined) ?? [];
  if (hosted.length > 0) extras['tools'] = hosted;
  return tools?.flatMap((tool) => readTool(tool) ?? []);
};

const readTool = (tool: Fields): Tool | undefined => {
  // Some clients still send the chat form, with the function in a field of its own.
  const { type, description, parameters, strict, ...rest } = { ...fieldsOf(tool['function']), ...tool };
  const name = textOf(rest['name']) ?? '';
  if (type === 'function') {
    const others = otherFields(
      tool,
      new Set(['type', 'function', 'name', 'description', 'parameters', 'strict']),
    );
    return {
      name,
      ...(typeof description === 'string' && { description }),
      ...(isGiven(parameters) && { parameters }),
      ...(typeof strict === 'boolean' && { strict }),
      ...ownExtras(others),
    };
  }
  if (type === 'custom')
    return freeTextTool(name, description, fieldsOf(tool['format']), { 'openai-responses': tool });
  return SEARCHES.test(wordOf(type)) && !isOffline(tool) ? readWebSearch(tool) : undefined;
};

const SEARCHES = /^web_search(?:_\d|_preview|$)/;

/** Source: platform.openai.com/docs, web search. */
const readWebSearch = (tool: Fields): Tool => {
  const { type: _, ...place } = fieldsOf(tool['user_location']);
  const { allowed_domains: allowed, blocked_domains: blocked } = fieldsOf(tool['filters']);
  return {
    name: 'web_search',
    webSearch: webSearch({ allowed, blocked, contextSize: tool['search_context_size'], place }),
    extras: { 'openai-responses': tool },
  };
};

const readToolChoice = (value: unknown, extras: Record<string, unknown>): ToolChoice | undefined => {
  const word = readChoiceWord(value);
  if (word !== undefined) return word;
  const { type, name } = { ...fieldsOf(fieldsOf(value)['function']), ...fieldsOf(value) };
  if ((type === 'function' || type === 'tool') && typeof name === 'string') return { name };
  if (type === 'allowed_tools') return readAllowed(fieldsOf(value), extras);
  if (isGiven(value)) extras['tool_choice'] = value;
  return type === 'custom' && typeof name === 'string' ? { name } : undefined;
};

/** Reads a choice of allowed tools; undefined where one of them is not the caller's own function. */
const readAllowed = (choice: Fields, extras: Record<string, unknown>): ToolChoice | undefined => {
  const tools = listOf(choice['tools']).filter(isFields);
  const allowed = tools.flatMap((tool) => textOf(tool['name']) ?? []);
  extras['tool_choice'] = choice;
  if (allowed.length !== tools.length) return undefined;
  return { allowed, mode: choice['mode'] === 'required' ? 'required' : 'auto' };
};

const readText = (text: Fields, extras: Record<string, unknown>): ResponseFormat | undefined => {
  const given = fieldsOf(text['format']);
  const format = readFormat(given, { ...given, ...fieldsOf(given['json_schema']) });
  const others = otherFields(text, new Set(format === undefined ? [] : ['format']));
  if (others !== undefined) extras['text'] = others;
  return format;
};

const readReasoning = (reasoning: Fields, extras: Record<string, unknown>): Reasoning | undefined => {
  const { effort } = reasoning;
  const summary = textOf(reasoning['summary']);
  const known = new Set(isEffort(effort) ? ['effort', 'summary'] : ['summary']);
  const others = otherFields(reasoning, known);
  if (others !== undefined) extras['reasoning'] = others;
  if (!isEffort(effort) && summary === undefined) return undefined;
  return { ...(isEffort(effort) && { effort }), ...(summary !== undefined && { summary }) };
};
