import type {
  ChatRequest,
  ContentPart,
  Message,
  Reasoning,
  ResponseFormat,
  Tool,
  ToolChoice,
  WebSearch,
} from '#core/chat/request.ts';
import {
  requireFewStops,
  requireNoVideos,
  requireOneAnswer,
  requireSupported,
  requireSupportedParts,
  requireTextAnswer,
} from '#core/chat/require-supported.ts';
import { unsupportedTool } from '#core/chat/unsupported-tool.ts';
import { writeEffort } from '../../openai/effort.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import { freeTextTools } from '../../openai/tools/free-text.ts';
import { schemaName } from '../../openai/response-format.ts';
import { sharedWithResponses } from '../../openai/shared-fields.ts';
import { withNamespaces } from '../parts/namespaces.ts';
import { LOGPROBS } from '../only-in.ts';
import { itemWriter, withFollowingItem } from '../parts/write-items.ts';

/** Why a request for pictures is refused: the caller must request the tool itself. */
const DRAWN =
  'an upstream of the Responses format draws with a tool of its own, which has a price of its own';
const ONE_ANSWER = "'n': an upstream of the Responses format knows no more than one answer to a request";

/**
 * Writes a chat request in the Responses format. Several choices are refused; stop sequences are applied to the answer by
 * us; seed, penalties and `top_k` are dropped, as they matter little.
 */
export const writeRequest = (request: ChatRequest): Fields => {
  requireSupported(request, 'openai-responses');
  requireTextAnswer(request, DRAWN);
  requireNoVideos(request.messages);
  requireSupportedParts(request.messages, 'openai-responses');
  requireFewStops(request);
  requireOneAnswer(request, ONE_ANSWER);
  const own = request.extras['openai-responses'];
  const extras = own ?? foreignExtras(request);
  const { instructions, messages } = takeInstructions(request, own === undefined);
  const hosted = listOf(extras['tools']);
  const freeText = freeTextTools(request);
  const tools = request.tools?.map((tool, index) => writeTool(tool, index, own === undefined));
  const items = messages.flatMap(itemWriter(messages));
  const fields: Record<string, unknown> = {
    model: request.model,
    instructions,
    input: own === undefined ? withFollowingItem(items) : items,
    stream: request.stream ? true : undefined,
    tools: tools === undefined && hosted.length === 0 ? undefined : [...(tools ?? []), ...hosted],
    tool_choice:
      extras['tool_choice'] ??
      (request.toolChoice === undefined
        ? undefined
        : writeToolChoice(request.toolChoice, kindOfTool(request.tools ?? [], freeText))),
    parallel_tool_calls: request.parallelToolCalls,
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    text: writeText(request.responseFormat, extras['text']),
    reasoning: writeReasoning(request.reasoning, extras['reasoning']),
    user: request.endUser,
  };
  const written: Record<string, unknown> = { ...extras };
  for (const key in fields) if (fields[key] !== undefined) written[key] = fields[key];
  return withNamespaces(written);
};

/**
 * Callers of other formats cannot refer to stored responses, so none is stored; reasoning comes back encrypted instead.
 */
const foreignExtras = (request: ChatRequest): Fields => {
  const include = [
    ...(writeEffort(request.reasoning) === undefined ? [] : ['reasoning.encrypted_content']),
    ...(request.logprobs === undefined ? [] : [LOGPROBS]),
  ];
  const most = request.tools?.find(({ webSearch }) => webSearch?.mostSearches !== undefined)?.webSearch;
  return {
    ...sharedWithResponses(request.extras),
    store: false,
    ...(include.length > 0 && { include }),
    ...(request.logprobs?.top !== undefined && { top_logprobs: request.logprobs.top }),
    ...(most !== undefined && { max_tool_calls: most.mostSearches }),
  };
};

/**
 * Moves a leading system prompt that is one text into `instructions`. Not that of another format where JSON is asked for:
 * the word has to be in the input here, and it may be in that prompt alone.
 */
const takeInstructions = (
  { messages, responseFormat }: ChatRequest,
  isForeign: boolean,
): { readonly instructions: string | undefined; readonly messages: readonly Message[] } => {
  const [first, ...rest] = messages;
  const [only, more] = first?.content ?? [];
  const isPlain =
    first?.role === 'system' && first.extras?.['openai-responses'] === undefined && more === undefined;
  // OpenAI refuses a request without input, even if it has instructions.
  if (rest.length === 0 || (isForeign && responseFormat?.type === 'json'))
    return { instructions: undefined, messages };
  return isPlain && isPlainText(only)
    ? { instructions: only.text, messages: rest }
    : { instructions: undefined, messages };
};

const isPlainText = (part: ContentPart | undefined): part is Extract<ContentPart, { type: 'text' }> =>
  part?.type === 'text' && part.text !== '' && part.extras?.['openai-responses'] === undefined;

const writeTool = (tool: Tool, index: number, isForeign: boolean): Fields => {
  const extras = tool.extras?.['openai-responses'] ?? {};
  if (extras['type'] !== undefined) return extras;
  const refusal = unsupportedTool(tool, index, 'openai-responses');
  if (refusal !== undefined) throw refusal;
  if (tool.webSearch !== undefined) return writeWebSearch(tool.webSearch);
  if (tool.freeText !== undefined) return writeFreeTextTool(tool.name, tool.freeText);
  return {
    ...extras,
    type: 'function',
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.parameters !== undefined && { parameters: tool.parameters }),
    // In other formats a function may omit its parameters, but not here.
    ...(tool.parameters === undefined && isForeign && { parameters: { type: 'object', properties: {} } }),
    // Functions are strict by default here, but not in other formats.
    ...(tool.strict === undefined && isForeign && { strict: false }),
    ...(tool.strict !== undefined && { strict: tool.strict }),
  };
};

const writeWebSearch = ({ allowedDomains, blockedDomains, contextSize, place }: WebSearch): Fields => {
  const filters = {
    ...(allowedDomains !== undefined && { allowed_domains: allowedDomains }),
    ...(blockedDomains !== undefined && { blocked_domains: blockedDomains }),
  };
  return {
    type: 'web_search',
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(contextSize !== undefined && { search_context_size: contextSize }),
    ...(place !== undefined && { user_location: { type: 'approximate', ...place } }),
  };
};

const writeFreeTextTool = (name: string, freeText: NonNullable<Tool['freeText']>): Fields => {
  const { description, syntax, definition } = freeText;
  return {
    type: 'custom',
    name,
    ...(description !== undefined && { description }),
    ...(definition !== undefined && { format: { type: 'grammar', syntax, definition } }),
  };
};

/** The type of a tool, which a tool choice must name as well. */
const kindOfTool =
  (tools: readonly Tool[], freeText: ReadonlySet<string>) =>
  (name: string): string => {
    if (tools.some((tool) => tool.name === name && tool.webSearch !== undefined)) return 'web_search';
    return freeText.has(name) ? 'custom' : 'function';
  };

/** `kindOf` gives the type of a tool by its name. */
export const writeToolChoice = (
  choice: ToolChoice,
  kindOf: (name: string) => string = () => 'function',
): unknown => {
  if (typeof choice === 'string') return choice;
  // A web search has no name here.
  const named = (name: string): Fields =>
    kindOf(name) === 'web_search' ? { type: 'web_search' } : { type: kindOf(name), name };
  return 'name' in choice
    ? named(choice.name)
    : { type: 'allowed_tools', mode: choice.mode, tools: choice.allowed.map(named) };
};

/** The field `text`: the requested format, merged into what a caller of this format sent. */
export const writeText = (format: ResponseFormat | undefined, kept: unknown): Fields | undefined => {
  if (format === undefined) return kept === undefined ? undefined : fieldsOf(kept);
  return { ...fieldsOf(kept), format: writeFormat(format) };
};

const writeFormat = (format: ResponseFormat): Fields => {
  if (format.type === 'text') return { type: 'text' };
  if (format.type === 'json') return { type: 'json_object' };
  return { ...format, name: schemaName(format.name), type: 'json_schema' };
};

/** The field `reasoning`: effort and summary, merged into what a caller of this format sent. */
export const writeReasoning = (reasoning: Reasoning | undefined, kept: unknown): Fields | undefined => {
  const effort = writeEffort(reasoning);
  const summary = reasoning?.summary;
  if (effort === undefined && summary === undefined) return kept === undefined ? undefined : fieldsOf(kept);
  return {
    ...fieldsOf(kept),
    ...(effort !== undefined && { effort }),
    ...(summary !== undefined && { summary }),
  };
};
