import type { IncomingHttpHeaders } from 'node:http';
import { type Fields, fieldsOf, isFields, listOf } from '#core/json/fields.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { CallerRequest } from './request.ts';

/** What identifies a session: a name its client gave it, or else the beginning of its prompt. */
export interface SessionMark {
  /** A header, a field of the body, or `prompt`. */
  readonly from: string;
  readonly text: string;
}

/** A call's session. */
export interface Session {
  /** A keyed hash of user, group, model and mark. Nobody else can produce it, and it reveals nothing. */
  readonly id: string;
  /** Where the mark was found. */
  readonly from: string;
  /** How long the session may be idle before it is forgotten. */
  readonly ttlMs: number;
}

/**
 * Headers in which clients name their session. All but the last two were seen in real traffic. Sources:
 * - `x-claude-code-session-id`: Claude Code 2.1.330, the same id as in `metadata.user_id`
 * - `session-id`: Codex 0.169.0, the same as `prompt_cache_key`; sub-agents also have a `thread-id` of their own
 * - `session_id`: Codex before 0.149 (codex-rs/codex-api/src/requests/headers.rs), pi (packages/ai, openai-completions)
 * - `x-opencode-session`: opencode 1.18.33 for providers whose id begins with `opencode`
 * - `x-session-id`, `x-session-affinity`: opencode 1.18.33 for all others; pi, Kilo Code
 * - `conversation_id`: Codex before 0.60
 * - `x-kilo-session`: Kilo Code (packages/opencode/src/session/llm/request.ts) for providers whose id begins with
 * `kilo`
 * Gemini CLI 0.61.0 names its session nowhere. `x-client-request-id` is not read: Codex and pi put their session there,
 * but other clients send a new id with every call.
 */
const SESSION_HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-opencode-session',
  'x-session-id',
  'x-session-affinity',
  'conversation_id',
  'x-kilo-session',
] as const;

/** A longer text is not a session's name. */
const NAME_MAX_LENGTH = 512;
/** No provider caches shorter prompts, so it does not matter where they go. */
const LEAST_CACHED_TOKENS = 1024;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= NAME_MAX_LENGTH;

/**
 * The mark of a call's session; undefined if there is none. What the client says about caching counts first, then a
 * session name, then a user name: Claude Code puts its session into `metadata.user_id`, other clients only a user id.
 * Costs a few lookups; at most a few thousand characters of the prompt are read.
 */
export const sessionMark = (
  { operation, headers }: { readonly operation: RelayOperation; readonly headers: IncomingHttpHeaders },
  { fields, far, facts }: Pick<CallerRequest, 'fields' | 'far' | 'facts'>,
): SessionMark | undefined => {
  if (operation !== 'chat' && operation !== 'responses-compact') return undefined;
  const { prompt_cache_key: cacheKey, metadata } = fields;
  if (isName(cacheKey)) return { from: 'prompt_cache_key', text: cacheKey };
  for (const from of SESSION_HEADERS) {
    const text = headers[from];
    if (isName(text)) return { from, text };
  }
  const userId = isFields(metadata) ? metadata['user_id'] : undefined;
  if (isName(userId)) return { from: 'metadata.user_id', text: userId };
  if (facts.inputTokensEstimate < LEAST_CACHED_TOKENS) return undefined;
  const text = far === undefined ? promptHead(fields) : far.promptHead;
  return text === undefined ? undefined : { from: 'prompt', text };
};

/** The number of characters at the beginning and end of a text that identify it. */
const EDGE_LENGTH = 64;
const MOST_TEXTS = 4;
const MOST_TOOLS = 64;
const MOST_ITEMS = 8;

/**
 * What identifies the beginning of a prompt, in any format: edges and lengths of the system prompt and the first user
 * message, and the names of the tools. All of them stay the same while a session grows. Bounded, whatever the body
 * holds. Undefined if there is no user message.
 */
export const promptHead = (fields: Fields): string | undefined => {
  const { system, instructions, systemInstruction, system_instruction: snakeCase, tools } = fields;
  const { messages, input, contents, prompt } = fields;
  const texts = [system, instructions, systemInstruction, snakeCase].flatMap(textsIn);
  const turns = messages ?? input ?? contents ?? prompt;
  const first = typeof turns === 'string' ? edges(turns) : firstTurns(listOf(turns), texts);
  if (first === undefined) return undefined;
  texts.push(first);
  const names = listOf(tools).slice(0, MOST_TOOLS).map(nameOfTool);
  return `${texts.join('\n')}\n${String(listOf(tools).length)} ${names.join(' ')}`;
};

/** Adds what stands before the first user message to `texts`; returns the edges of that message's texts. */
const firstTurns = (turns: readonly unknown[], texts: string[]): string | undefined => {
  for (const turn of turns.slice(0, MOST_ITEMS)) {
    const { role = 'user', content, parts } = fieldsOf(turn);
    const own = textsIn(content ?? parts);
    if (role === 'user' && own.length > 0) return own.join('\n');
    texts.push(...own);
  }
  return undefined;
};

/** The edges of the first texts in a content: a text, parts with texts, or an object with parts. */
const textsIn = (content: unknown): string[] => {
  if (typeof content === 'string') return [edges(content)];
  const parts = isFields(content) ? listOf(content['parts']) : listOf(content);
  return parts
    .slice(0, MOST_TEXTS)
    .map((part) => (typeof part === 'string' ? part : fieldsOf(part)['text']))
    .filter((text) => typeof text === 'string')
    .map(edges);
};

const edges = (text: string): string =>
  text.length <= 2 * EDGE_LENGTH
    ? text
    : `${String(text.length)} ${text.slice(0, EDGE_LENGTH)}${text.slice(-EDGE_LENGTH)}`;

/**
 * The name of a tool. Formats have it in three places: at the top, under `function`, and in Gemini's list of
 * declarations.
 */
const nameOfTool = (tool: unknown): string => {
  const { name, function: inner, type, functionDeclarations: declared } = fieldsOf(tool);
  if (declared !== undefined) return listOf(declared).slice(0, MOST_TOOLS).map(nameOfTool).join(' ');
  const found = name ?? fieldsOf(inner)['name'] ?? type;
  return typeof found === 'string' ? found.slice(0, MOST_TOOLS) : '';
};
