import { heldWholeBy } from '#core/chat/held-whole.ts';
import { requireSayable } from '#core/chat/require-sayable.ts';
import type {
  ChatRequest,
  ContentPart,
  Message,
  Reasoning,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '../openai/fields.ts';
import { writeContent, writeToolCall } from './write-parts.ts';

/** A chat request in the OpenAI format. What only other formats can say is left out. */
export const writeRequest = (request: ChatRequest): Fields => {
  requireSayable(request, 'openai-chat');
  const extras = request.extras['openai-chat'] ?? {};
  const effort = writeEffort(request.reasoning);
  const fields: Record<string, unknown> = {
    model: request.model,
    messages: request.messages.flatMap(writeMessage),
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
  };
  const written: Record<string, unknown> = { ...extras };
  for (const key in fields) if (fields[key] !== undefined) written[key] = fields[key];
  return written;
};

const writeMessage = (message: Message): Fields[] => {
  const extras = message.extras?.['openai-chat'] ?? {};
  const results = message.content.filter((part) => part.type === 'tool-result');
  const rest = message.content.filter((part) => part.type !== 'tool-result');
  // Here every result is a message of its own; other formats put them together, with what the user says next.
  const written = results.map((result) => writeToolResult(result, extras));
  if (rest.length === 0 && results.length > 0) return written;
  return [...written, writeSpoken(message, rest, extras)];
};

const writeToolResult = (result: Extract<ContentPart, { type: 'tool-result' }>, extras: Fields): Fields => {
  const name = result.name === undefined ? {} : { name: result.name };
  const content = writeContent(result.content) ?? '';
  if (extras['role'] === 'function') return { ...extras, ...name, content };
  return { ...extras, role: 'tool', tool_call_id: result.callId, ...name, content };
};

const writeSpoken = (message: Message, parts: readonly ContentPart[], extras: Fields): Fields => {
  const reasoning = parts.filter((part) => part.type === 'reasoning');
  const refusal = message.role === 'assistant' ? parts.find((part) => part.type === 'refusal') : undefined;
  const calls = parts.filter((part) => part.type === 'tool-call');
  const audio = parts.find((part) => part.type === 'audio' && part.media.from === 'file-id');
  const content = writeContent(
    parts.filter(
      (part) => part !== refusal && part !== audio && part.type !== 'reasoning' && part.type !== 'tool-call',
    ),
  );
  const isSilent = calls.length > 0 || refusal !== undefined || audio !== undefined;
  return {
    ...extras,
    role: message.role === 'tool' ? 'user' : message.role,
    ...(message.name !== undefined && { name: message.name }),
    content: content ?? (isSilent ? null : ''),
    ...writeReasoning(reasoning),
    ...(refusal?.type === 'refusal' && { refusal: refusal.text }),
    ...(audio?.type === 'audio' && audio.media.from === 'file-id' && { audio: { id: audio.media.fileId } }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeToolCall) }),
  };
};

const writeReasoning = (parts: readonly Extract<ContentPart, { type: 'reasoning' }>[]): Fields => {
  const text = parts.map((part) => part.text).join('');
  const plain = text === '' ? {} : { reasoning_content: text };
  const [only] = parts;
  const isPlain =
    parts.length === 0 ||
    (parts.length === 1 && only?.signature === undefined && only?.redacted === undefined);
  if (isPlain) return plain;
  // A signature goes back only to the kind of upstream that made it.
  const details = parts
    .filter(({ signatureFrom = 'openai-chat' }) => signatureFrom === 'openai-chat')
    .map(({ text: said, signature, redacted }) => ({
      type: redacted === undefined ? 'reasoning.text' : 'reasoning.encrypted',
      ...(said !== '' && { text: said }),
      ...(signature !== undefined && { signature }),
      ...(redacted !== undefined && { data: redacted }),
    }));
  return { ...plain, ...(details.length > 0 && { reasoning_details: details }) };
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

/** This format knows only words for how hard to think; a number of tokens becomes the nearest of them. */
const writeEffort = (reasoning: Reasoning | undefined): string | undefined => {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const budget = reasoning?.budgetTokens;
  if (budget === undefined || reasoning?.enabled === false) return undefined;
  if (budget <= 2048) return 'low';
  return budget <= 8192 ? 'medium' : 'high';
};
