import { withFormatInWords } from '#core/chat/format-in-words.ts';
import { onlyFormatOf } from '#core/chat/only-format.ts';
import { narrowTools } from '#core/chat/narrow-tools.ts';
import { toolField } from '#core/chat/places.ts';
import type { ChatRequest, Message, Tool, ToolChoice, WebSearch } from '#core/chat/request.ts';
import { requireSupported, requireSupportedParts } from '#core/chat/require-supported.ts';
import { unsupportedTool } from '#core/chat/unsupported-tool.ts';
import { AppError } from '#core/error.ts';
import { fieldsOf, isFields, type Fields } from '#core/json/fields.ts';
import { writeResponseFormat } from './response-format.ts';
import { writeSpeech } from '../speech.ts';
import { isSinceFour, writeThinking } from './thinking.ts';
import { withSeals } from '../parts/seals-of-parts.ts';
import { writePart, type CallNamesById } from '../parts/write-parts.ts';

/**
 * Writes a request for an upstream of this format. The provider puts the model and whether to stream into the path.
 * Throws `invalid_request` for what this format cannot express.
 */
export const writeRequest = (asked: ChatRequest): Fields => {
  const chosen = isOpenChoice(asked) ? narrowTools(asked) : asked;
  const request = formatBesideTools(chosen);
  requireSupported(request, 'gemini');
  requireSupportedParts(request.messages, 'gemini');
  const {
    generationConfig: otherConfig,
    toolConfig: otherToolConfig,
    ...others
  } = request.extras.gemini ?? {};
  const names = namesById(request.messages);
  const instruction = request.messages.filter(isInstruction).flatMap((message) => partsOf(message, names));
  const thinking =
    request.reasoning === undefined ? undefined : writeThinking(request.reasoning, request.model);
  const config = given({
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: request.stop,
    seed: request.seed,
    ...(!isSinceFour(request.model) && {
      presencePenalty: request.presencePenalty,
      frequencyPenalty: request.frequencyPenalty,
    }),
    candidateCount: request.choices,
    ...(request.responseFormat !== undefined && writeResponseFormat(request.responseFormat)),
    thinkingConfig: thinking,
    responseLogprobs: request.logprobs === undefined ? undefined : true,
    logprobs: request.logprobs?.top,
    responseModalities: request.imagesAskedBy !== undefined ? ['TEXT', 'IMAGE'] : undefined,
    ...writeSpeech(request),
    ...fieldsOf(otherConfig),
  });
  requireFunctionToCall(request);
  const toolConfig = {
    ...(request.toolChoice !== undefined && { functionCallingConfig: writeToolChoice(request.toolChoice) }),
    ...fieldsOf(otherToolConfig),
  };
  return given({
    ...others,
    systemInstruction: instruction.length === 0 ? undefined : { parts: instruction },
    contents: writeContents(request.messages, names),
    tools: request.tools === undefined ? undefined : writeTools(request.tools),
    toolConfig: Object.keys(toolConfig).length === 0 ? undefined : toolConfig,
    generationConfig: Object.keys(config).length === 0 ? undefined : config,
  });
};

/** Before Gemini 3, JSON answers and functions exclude each other: the format becomes an instruction. */
const formatBesideTools = (request: ChatRequest): ChatRequest => {
  const { responseFormat: format, tools = [], model } = request;
  if (format === undefined || format.type === 'text' || tools.length === 0 || !OLDER.test(model))
    return request;
  const { responseFormat: _, ...written } = withFormatInWords(request);
  return written;
};

const OLDER = /gemini-[12][.-]/;

/** Whether the caller allows some tools without forcing one: older models cannot express that. */
const isOpenChoice = ({ toolChoice, extras }: ChatRequest): boolean =>
  typeof toolChoice === 'object' &&
  'allowed' in toolChoice &&
  toolChoice.mode === 'auto' &&
  extras.gemini?.['toolConfig'] === undefined;

const isInstruction = (message: Message): boolean =>
  message.role === 'system' || message.role === 'developer';

const namesById = (messages: readonly Message[]): CallNamesById => {
  const names = new Map<string, string>();
  for (const { content } of messages)
    for (const part of content) if (part.type === 'tool-call') names.set(part.id, part.name);
  return names;
};

const partsOf = (message: Message, names: CallNamesById): Fields[] =>
  withSeals(message.content, (part) => writePart(part, names));

const holdsResult = ({ content }: Message): boolean => content.some(({ type }) => type === 'tool-result');

/**
 * All messages except instructions, as turns. Consecutive results answer the calls of one turn, so they go into one
 * content, also those that users give one by one.
 */
const writeContents = (messages: readonly Message[], names: CallNamesById): Fields[] => {
  const contents: { role: string; parts: Fields[] }[] = [];
  let isAfterResult = false;
  for (const message of messages) {
    if (isInstruction(message)) continue;
    const parts = partsOf(message, names);
    const last = contents.at(-1);
    const isResult = message.role === 'tool' || holdsResult(message);
    if (isResult && isAfterResult && last !== undefined) last.parts.push(...parts);
    else if (parts.length > 0)
      contents.push({ role: message.role === 'assistant' ? 'model' : 'user', parts });
    isAfterResult = isResult;
  }
  // Google reports an empty prompt in its own words.
  if (contents.length === 0) contents.push({ role: 'user', parts: [{ text: '' }] });
  return contents;
};

/** All functions as one tool; this format's built-in tools unchanged; those of other formats are refused. */
const writeTools = (tools: readonly Tool[]): Fields[] => {
  const declarations: Fields[] = [];
  const builtIn: Fields[] = [];
  for (const [index, tool] of tools.entries()) {
    const held = tool.extras?.gemini?.['tool'];
    const refusal = unsupportedTool(tool, index, 'gemini');
    if (refusal !== undefined) throw refusal;
    if (onlyFormatOf(tool.extras) === 'gemini' && isFields(held)) builtIn.push(held);
    else if (tool.webSearch !== undefined)
      builtIn.push(writeWebSearch(tool.webSearch, toolField(tool, index)));
    else declarations.push(writeDeclaration(tool));
  }
  return [...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []), ...builtIn];
};

/** Google's search has no options for the user's place, or how much and how often to search. */
const writeWebSearch = ({ allowedDomains, blockedDomains }: WebSearch, param: string): Fields => {
  if (allowedDomains !== undefined)
    throw new AppError('invalid_request', `'${param}': this model cannot restrict a search to domains`, {
      param,
      reason: 'unsupported_tool',
    });
  return { googleSearch: blockedDomains === undefined ? {} : { excludeDomains: blockedDomains } };
};

const writeDeclaration = (tool: Tool): Fields => ({
  ...tool.extras?.gemini,
  name: tool.name,
  ...(tool.description !== undefined && { description: tool.description }),
  ...(tool.parameters !== undefined && { parametersJsonSchema: tool.parameters }),
});

/** Only functions can be forced here: whether to search is the model's choice. */
const requireFunctionToCall = ({ tools = [], toolChoice }: ChatRequest): void => {
  if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return;
  const searches = tools.filter(
    ({ webSearch, extras }) => webSearch !== undefined && onlyFormatOf(extras) !== 'gemini',
  );
  const isSearch =
    typeof toolChoice === 'object' && 'name' in toolChoice
      ? searches.some(({ name }) => name === toolChoice.name)
      : searches.length > 0 && searches.length === tools.length;
  if (!isSearch) return;
  throw new AppError('invalid_request', "'tool_choice': this model cannot be forced to search", {
    param: 'tool_choice',
    reason: 'unsupported_parameter',
  });
};

const writeToolChoice = (choice: ToolChoice): Fields => {
  if (typeof choice !== 'string')
    return { mode: 'ANY', allowedFunctionNames: 'name' in choice ? [choice.name] : choice.allowed };
  return { mode: choice === 'required' ? 'ANY' : choice.toUpperCase() };
};

const given = (fields: Fields): Fields => {
  const written: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) written[key] = fields[key];
  return written;
};
