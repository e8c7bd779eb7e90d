import { formatInWords } from '#core/chat/format-in-words.ts';
import { messageField } from '#core/chat/places.ts';
import { narrowTools, type NarrowRequest } from '#core/chat/narrow-tools.ts';
import type { ChatRequest, Message, Tool } from '#core/chat/request.ts';
import { requireOneAnswer, requireTextAnswer } from '#core/chat/require-supported.ts';
import { fieldsOf, type Fields } from '#core/json/fields.ts';
import { ConverseParts, refused } from './converse-parts.ts';
import { isNova, knowsConverseSchemas, reasoningFields } from './converse-models.ts';

/**
 * Writes a chat in Bedrock's Converse format (docs.aws.amazon.com/bedrock, Converse), which every model there accepts.
 * `model` and `stream` are in the path. Seeds, penalties, `top_k` and earlier reasoning are dropped. Throws
 * `invalid_request` naming anything else that the format lacks.
 */
export const writeConverse = (asked: ChatRequest): Fields => {
  const request = narrowTools(asked);
  requireOneAnswer(request);
  requireTextAnswer(request);
  const { messages, system } = writeMessages(request);
  const { additional, limits } = reasoningFields(request);
  const toolConfig = writeToolConfig(request);
  const outputConfig = writeOutputConfig(request);
  return {
    messages,
    ...(system.length > 0 && { system }),
    ...(limits && { inferenceConfig: writeInference(request) }),
    ...(toolConfig !== undefined && { toolConfig }),
    ...(outputConfig !== undefined && { outputConfig }),
    ...(additional !== undefined && { additionalModelRequestFields: additional }),
  };
};

const writeInference = ({ maxOutputTokens, temperature, topP, stop }: ChatRequest): Fields => ({
  ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
  ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 1) }),
  ...(topP !== undefined && { topP }),
  ...(stop !== undefined && stop.length > 0 && { stopSequences: stop }),
});

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer';

const writeMessages = (
  request: ChatRequest,
): { readonly messages: readonly Fields[]; readonly system: readonly Fields[] } => {
  const parts = new ConverseParts(request.model);
  const system = request.messages.flatMap((message, index) =>
    isInstruction(message) ? instructionOf(parts, message, messageField(message, index)) : [],
  );
  const prompt = formatPrompt(request);
  if (prompt !== undefined) system.push({ text: prompt });
  const messages: { role: string; content: Fields[] }[] = [];
  for (const [index, message] of request.messages.entries()) {
    if (isInstruction(message)) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = parts.write(message, messageField(message, index));
    const last = messages.at(-1);
    // Turns must alternate, so messages of the same role in a row become one.
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  // Converse needs a user message. A system prompt alone is sent as one.
  if (messages.length === 0) return { messages: [{ role: 'user', content: system }], system: [] };
  return { messages, system };
};

const instructionOf = (parts: ConverseParts, message: Message, where: string): readonly Fields[] => {
  const blocks = parts.write(message, where);
  if (blocks.every((block) => 'text' in block || 'cachePoint' in block)) return blocks;
  throw refused(where, 'this upstream takes instructions as text alone');
};

const formatPrompt = ({ model, responseFormat }: ChatRequest): string | undefined =>
  responseFormat?.type === 'json-schema' && knowsConverseSchemas(model)
    ? undefined
    : formatInWords(responseFormat);

/** Source: docs.aws.amazon.com/bedrock, structured outputs: the schema is text. */
const writeOutputConfig = ({ model, responseFormat }: ChatRequest): Fields | undefined => {
  if (responseFormat?.type !== 'json-schema' || !knowsConverseSchemas(model)) return undefined;
  const { name, description, schema } = responseFormat;
  const jsonSchema = {
    name,
    schema: JSON.stringify(schema),
    ...(description !== undefined && { description }),
  };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
};

/** The format has no tool choice `none`: the tools are dropped instead, unless the conversation has tool calls. */
const writeToolConfig = ({ model, tools = [], toolChoice, messages }: NarrowRequest): Fields | undefined => {
  if (toolChoice === 'none') {
    const used = messages.some(({ content }) => content.some(({ type }) => type === 'tool-call'));
    if (used && tools.length > 0)
      throw refused('tool_choice', 'this upstream cannot be told to call none of the tools it has used');
    return undefined;
  }
  if (tools.length === 0) return undefined;
  return {
    tools: tools.map((tool) => writeTool(model, tool)),
    ...(toolChoice !== undefined && toolChoice !== 'auto' && { toolChoice: writeChoice(toolChoice) }),
  };
};

const writeChoice = (choice: 'required' | { readonly name: string }): Fields =>
  choice === 'required' ? { any: {} } : { tool: { name: choice.name } };

const writeTool = (model: string, { name, description, parameters, strict }: Tool): Fields => {
  const schema = { type: 'object', ...fieldsOf(parameters) };
  return {
    toolSpec: {
      name,
      ...(description !== undefined && description !== '' && { description }),
      inputSchema: { json: isNova(model) ? withinNova(schema) : schema },
      ...(strict === true && knowsConverseSchemas(model) && { strict }),
    },
  };
};

/** Nova accepts only three top-level fields of a tool's schema (docs.aws.amazon.com/nova, tool use). */
const withinNova = ({ type, properties = {}, required }: Fields): Fields => ({
  type,
  properties,
  ...(required !== undefined && { required }),
});
