import { z } from 'zod';
import type { ChatRequest, Message, ResponseFormat, Tool, ToolChoice } from '#core/chat/request.ts';
import { isStrictSchema } from '#core/chat/strict-schema.ts';
import { readChoiceWord } from '../../openai/tools/choice-word.ts';
import { flag, knob, modelName, parseBounds, tokenCount } from '../../openai/bounds.ts';
import {
  fieldsOf,
  isFields,
  otherFields,
  textOf,
  type Fields,
  wordOf,
  onlyGiven,
} from '#core/json/fields.ts';
import { webSearch } from '../../openai/tools/web-search.ts';
import { callersTool } from './callers-tools.ts';
import { readOnlyIn } from '../only-in.ts';
import { readGeneratedPictures } from '../parts/drawn-pictures.ts';
import { readContent } from '../parts/read-parts.ts';
import { isEffort } from '../../openai/effort.ts';
import { otherThinking, readReasoning } from './thinking.ts';
import { readLaterTools } from './tool-changes.ts';

const wire = z.object({
  model: modelName,
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']) })).min(1),
  stream: flag,
  tools: z.array(z.record(z.string(), z.unknown())).nullish(),
  max_tokens: tokenCount,
  temperature: knob,
  top_p: knob,
  top_k: knob,
  stop_sequences: z.array(z.string()).nullish(),
});

/** Fields of the common form; all others are stored as extras. */
const KNOWN = new Set([
  ...Object.keys(wire.shape),
  'system',
  'tool_choice',
  'metadata',
  'thinking',
  'output_config',
]);
const KNOWN_IN_MESSAGE = new Set(['role', 'content']);
/** The name of a schema for formats that require one; this format has none. */
const SCHEMA_NAME = 'output';

/** Reads a Messages request into the common form. Throws `invalid_request` naming the wrong field. */
export const readRequest = (body: unknown): ChatRequest => {
  const request = parseBounds(wire, body);
  const fields = fieldsOf(body);
  const config = fieldsOf(fields['output_config']);
  const format = readFormat(config['format'] ?? fields['output_format']);
  const choice = readToolChoice(fields['tool_choice']);
  const endUser = textOf(fieldsOf(fields['metadata'])['user_id']);
  const messages = request.messages.map(readMessage);
  const tools = request.tools?.map(readTool);
  const read: { [Key in keyof ChatRequest]?: ChatRequest[Key] | null | undefined } = {
    onlyIn: readOnlyIn(fields, { ...choice, ...(format !== undefined && { responseFormat: format }) }),
    tools,
    laterTools: readLaterTools(messages, tools ?? [], readTool),
    ...choice,
    maxOutputTokens: request.max_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    stop: request.stop_sequences,
    responseFormat: format,
    reasoning: readReasoning(fields['thinking'], config['effort']),
    endUser,
  };
  const extras = readExtras(fields, choice === undefined);
  return {
    model: request.model,
    stream: request.stream ?? false,
    messages: [...readSystem(fields['system']), ...messages],
    ...onlyGiven(read),
    extras: Object.keys(extras).length === 0 ? {} : { 'anthropic-messages': extras },
  };
};

/** Fields without a common form, unchanged. */
const readExtras = (fields: Fields, keepsChoice: boolean): Record<string, unknown> => {
  const extras: Record<string, unknown> = { ...otherFields(fields, KNOWN) };
  const metadata = otherFields(fieldsOf(fields['metadata']), new Set(['user_id']));
  if (metadata !== undefined) extras['metadata'] = metadata;
  const thinking = otherThinking(fields['thinking']);
  if (thinking !== undefined) extras['thinking'] = thinking;
  if (keepsChoice && isFields(fields['tool_choice'])) extras['tool_choice'] = fields['tool_choice'];
  const config = fieldsOf(fields['output_config']);
  // An effort without thinking stays separate here: in other formats it would turn thinking on.
  const isAlone = isEffort(config['effort']) && textOf(fieldsOf(fields['thinking'])['type']) === undefined;
  const kept = otherFields(
    config,
    new Set([
      ...(isEffort(config['effort']) && !isAlone ? ['effort'] : []),
      ...(readFormat(config['format']) === undefined ? [] : ['format']),
    ]),
  );
  if (kept !== undefined) extras['output_config'] = kept;
  return extras;
};

/** Instructions are a separate field here, and the first message in the common form. */
const readSystem = (system: unknown): Message[] => {
  const content = readContent(system, 'system');
  return content.length === 0 ? [] : [{ role: 'system', content }];
};

const readMessage = (
  message: Fields & { readonly role: 'user' | 'assistant' | 'system' },
  at: number,
): Message => {
  const content = readContent(message['content'], `messages.${at}.content`);
  return {
    role: message.role,
    content: message.role === 'assistant' ? readGeneratedPictures(content) : content,
    ...readOthers(message.role, otherFields(message, KNOWN_IN_MESSAGE)),
  };
};

/** Marks, in a message's extras, instructions given within the conversation. */
export const IN_PLACE = 'in_place';

const readOthers = (role: Message['role'], others: Fields | undefined): Pick<Message, 'extras'> => {
  const extras = role === 'system' ? { ...others, [IN_PLACE]: true } : others;
  return extras === undefined ? {} : { extras: { 'anthropic-messages': extras } };
};

const readTool = (tool: Fields): Tool => {
  const { name, description, input_schema: parameters, strict } = tool;
  const isOurs = tool['type'] === undefined || tool['type'] === null || tool['type'] === 'custom';
  if (!isOurs || typeof name !== 'string') return readOwnTool(tool);
  const others = otherFields(tool, new Set(['type', 'name', 'description', 'input_schema', 'strict']));
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(isFields(parameters) && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    ...(others !== undefined && { extras: { 'anthropic-messages': others } }),
  };
};

/** A tool with a type of this format: a web search, a tool the caller runs, or one the upstream runs. */
const readOwnTool = (tool: Fields): Tool => {
  const type = wordOf(tool['type']);
  return {
    name: textOf(tool['name']) ?? (tool['type'] === undefined || tool['type'] === null ? '' : type),
    ...callersTool(type, tool),
    ...(type.startsWith('web_search_') && {
      webSearch: webSearch({
        allowed: tool['allowed_domains'],
        blocked: tool['blocked_domains'],
        mostSearches: tool['max_uses'],
        place: tool['user_location'],
      }),
    }),
    extras: { 'anthropic-messages': tool },
  };
};

const readToolChoice = (
  value: unknown,
): Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'> | undefined => {
  const fields = fieldsOf(value);
  const name = textOf(fields['name']);
  const isNamed = fields['type'] === 'tool' || fields['type'] === 'function';
  const toolChoice: ToolChoice | undefined = isNamed && name !== undefined ? { name } : readChoiceWord(value);
  if (toolChoice === undefined) return undefined;
  const single = fields['disable_parallel_tool_use'];
  return { toolChoice, ...(typeof single === 'boolean' && { parallelToolCalls: !single }) };
};

const readFormat = (value: unknown): ResponseFormat | undefined => {
  const { type, schema } = fieldsOf(value);
  if (type !== 'json_schema' || schema === undefined) return undefined;
  // Answers here always follow the schema; elsewhere that is the option `strict`, which not every schema allows.
  return {
    type: 'json-schema',
    name: SCHEMA_NAME,
    schema,
    ...(isStrictSchema(schema) && { strict: true }),
  };
};
