import { formatInWords } from '#core/chat/format-in-words.ts';
import { narrowTools, type NarrowRequest } from '#core/chat/narrow-tools.ts';
import type { ChatRequest, Message, Tool } from '#core/chat/request.ts';
import { fieldsOf, type Fields } from '../../dialects/openai/fields.ts';
import { ConverseParts, unsayable } from './converse-parts.ts';
import { isNova, knowsConverseSchemas, reasoningFields } from './converse-models.ts';

/**
 * A chat for Bedrock's Converse (docs.aws.amazon.com/bedrock, Converse), which speaks to every model there; the model and
 * whether to stream stand in its path. Seeds, penalties and `top_k`, which only colour an answer, are left out, as are
 * earlier thoughts. Throws `invalid_request` naming what else it cannot say.
 */
export const writeConverse = (asked: ChatRequest): Fields => {
  const request = narrowTools(asked);
  if ((request.choices ?? 1) > 1) throw unsayable('n', 'this upstream gives one answer at a time');
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
    isInstruction(message) ? instructionOf(parts.write(message, `messages.${index}`), index) : [],
  );
  const told = formatTold(request);
  if (told !== undefined) system.push({ text: told });
  const messages: { role: string; content: Fields[] }[] = [];
  for (const [index, message] of request.messages.entries()) {
    if (isInstruction(message)) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = parts.write(message, `messages.${index}`);
    const last = messages.at(-1);
    // Turns alternate here: what one side says in a row is one message.
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  // Somebody has to speak first: a caller who only gave instructions means them as the question.
  if (messages.length === 0) return { messages: [{ role: 'user', content: system }], system: [] };
  return { messages, system };
};

const instructionOf = (blocks: readonly Fields[], index: number): readonly Fields[] => {
  if (blocks.every((block) => 'text' in block || 'cachePoint' in block)) return blocks;
  throw unsayable(`messages.${index}`, 'this upstream takes instructions as text alone');
};

const formatTold = ({ model, responseFormat }: ChatRequest): string | undefined =>
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

/** It has no word for tools that may not be called: they are not shown, unless the conversation has used some. */
const writeToolConfig = ({ model, tools = [], toolChoice, messages }: NarrowRequest): Fields | undefined => {
  if (toolChoice === 'none') {
    const used = messages.some(({ content }) => content.some(({ type }) => type === 'tool-call'));
    if (used && tools.length > 0)
      throw unsayable('tool_choice', 'this upstream cannot be told to call none of the tools it has used');
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

/** Source: docs.aws.amazon.com/nova, tool use: of a schema's outermost fields it reads three. */
const withinNova = ({ type, properties = {}, required }: Fields): Fields => ({
  type,
  properties,
  ...(required !== undefined && { required }),
});
