import { fieldsOf, isGiven, listOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';

/** OpenAI's fields that the WebSocket API accepts next to the messages. */
const KNOBS = ['temperature', 'max_tokens', 'top_k', 'top_p', 'presence_penalty', 'frequency_penalty'];
const TALKERS: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);
const MAX_USER_LENGTH = 32;

/** All fields of a chat that the WebSocket API knows; any other, such as a response format, is accepted only over HTTP. */
const HEARD: ReadonlySet<string> = new Set([
  ...KNOBS,
  'model',
  'messages',
  'thinking',
  'user',
  'stream',
  'stream_options',
]);

const saysNothing = (name: string, value: unknown): boolean =>
  !isGiven(value) ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (name === 'n' && value === 1);

/** Whether a chat in OpenAI's format can go over a WebSocket: it holds only text, and fields that are known there. */
export const isPlainTalk = (body: Fields): boolean =>
  Object.entries(body).every(([name, value]) => HEARD.has(name) || saysNothing(name, value)) &&
  listOf(body['messages']).every((item) => {
    const { role, content, tool_calls: calls } = fieldsOf(item);
    return TALKERS.has(role) && listOf(calls).length === 0 && textsIn(content) !== undefined;
  });

/** The text of a content that holds only text; undefined for any other. */
const textsIn = (content: unknown): string | undefined => {
  if (typeof content === 'string') return content;
  const texts = listOf(content).map((part) =>
    fieldsOf(part)['type'] === 'text' ? wordOf(fieldsOf(part)['text']) : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join('');
};

/** Writes a chat in OpenAI's format as Spark's one request message (www.xfyun.cn/doc/spark/Web.html). */
export const writeSpark = (body: Fields, appId: string): Fields => {
  const chat: Record<string, unknown> = { domain: body['model'] };
  for (const name of KNOBS) if (body[name] !== undefined && body[name] !== null) chat[name] = body[name];
  if (body['thinking'] !== undefined) chat['thinking'] = body['thinking'];
  const user = textOf(body['user'])?.slice(0, MAX_USER_LENGTH);
  const text = listOf(body['messages']).map((item) => {
    const { role, content } = fieldsOf(item);
    return { role, content: textsIn(content) ?? '' };
  });
  return {
    header: { app_id: appId, ...(user !== undefined && { uid: user }) },
    parameter: { chat },
    payload: { message: { text } },
  };
};

/** The content of one message of the answer. */
export interface SparkPiece {
  readonly id: string;
  readonly text: string;
  readonly reasoning: string;
  readonly isLast: boolean;
  readonly usage: Fields | undefined;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

/** Reads a message of the answer; what is missing counts as empty. */
export const readSpark = (frame: unknown): SparkPiece => {
  const { header, payload } = fieldsOf(frame);
  const { code, message, sid, status } = fieldsOf(header);
  const choices = fieldsOf(fieldsOf(payload)['choices']);
  const first = fieldsOf(listOf(choices['text'])[0]);
  const usage = fieldsOf(fieldsOf(payload)['usage'])['text'];
  const isRefused = typeof code === 'number' && code !== 0;
  return {
    id: textOf(sid) ?? '',
    text: textOf(first['content']) ?? '',
    reasoning: textOf(first['reasoning_content']) ?? '',
    isLast: status === 2 || choices['status'] === 2,
    usage: usage === undefined ? undefined : fieldsOf(usage),
    error: isRefused ? { code, message: textOf(message) ?? '' } : undefined,
  };
};

/** Codes for which the request itself is at fault: its content or its size. */
export const REFUSED: readonly number[] = [10_003, 10_004, 10_005, 10_013, 10_014, 10_019, 10_163, 10_907];
export const TOO_OFTEN: readonly number[] = [10_006, 10_007, 10_008, 10_110, 11_201, 11_202, 11_203];

/** The HTTP status for an error code of the WebSocket API. */
export const statusOfCode = (code: number): number => {
  if (REFUSED.includes(code)) return 400;
  if (TOO_OFTEN.includes(code)) return 429;
  return code === 10_015 || code === 10_016 || code === 10_313 || code === 11_200 ? 403 : 500;
};

/** The error as OpenAI's callers read it. */
export const errorBody = ({ code, message }: NonNullable<SparkPiece['error']>): Fields => ({
  error: { message, type: 'api_error', param: null, code: wordOf(code) },
});

interface Head {
  readonly model: string;
  readonly createdSeconds: number;
}

/** A piece as a stream chunk in OpenAI's format. */
export const asChunk = (piece: SparkPiece, { model, createdSeconds }: Head): Fields => ({
  id: piece.id,
  object: 'chat.completion.chunk',
  created: createdSeconds,
  model,
  choices: [{ index: 0, delta: assistantFields(piece), finish_reason: piece.isLast ? 'stop' : null }],
  ...(piece.usage !== undefined && { usage: piece.usage }),
});

const assistantFields = ({ text, reasoning }: Pick<SparkPiece, 'text' | 'reasoning'>): Fields => ({
  role: 'assistant',
  ...(text !== '' && { content: text }),
  ...(reasoning !== '' && { reasoning_content: reasoning }),
});
