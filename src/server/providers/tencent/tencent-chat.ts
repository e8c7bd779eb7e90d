import { withFormatInWords } from '#core/chat/format-in-words.ts';
import { requireOneAnswer, requireTextAnswer } from '#core/chat/require-supported.ts';
import type { Egress } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { readUpstreamError } from '../../dialects/openai/error.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { writeFrame } from '../../dialects/sse.ts';
import { matchError, type ErrorPatterns } from '../shared/description/error-patterns.ts';
import { tappedWhole } from '../shared/reply/tapped-events.ts';

/** Fields whose content is the caller's own: the names inside are not changed. */
const OPAQUE = new Set(['Parameters', 'Arguments', 'parameters', 'arguments']);
/** OpenAI's request fields that it accepts. */
const KNOWN = new Set([
  'model',
  'messages',
  'stream',
  'top_p',
  'temperature',
  'tools',
  'tool_choice',
  'seed',
  'stop',
]);

const pascal = (name: string): string =>
  name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string): string =>
  name.replace(
    /(?<=[a-z0-9])[A-Z]|^[A-Z]/g,
    (letter, at: number) => (at === 0 ? '' : '_') + letter.toLowerCase(),
  );

/** Renames every field, at any depth, except inside the caller's own content. */
const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isFields(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value))
    copy[rename(name)] = OPAQUE.has(name) ? item : renamed(item, rename);
  return copy;
};

/** The reply in OpenAI's format. It may be wrapped, and errors have the status 200. */
const asOpenai = (body: unknown): Fields => {
  const outer = fieldsOf(body);
  const reply = isFields(outer['Response']) ? outer['Response'] : outer;
  const { error_msg: inStream, ...fields } = fieldsOf(renamed(reply, snake));
  const { error: plain } = fields;
  const failed = plain ?? inStream;
  const choices = listOf(fields['choices']).map((choice, index) => ({ index, ...fieldsOf(choice) }));
  return {
    ...fields,
    ...(choices.length > 0 && { choices }),
    ...(isFields(failed) && { error: problemOf(failed) }),
  };
};

/** Errors about the key and the balance (product/1729/101848, error codes). */
const ACCOUNT: ErrorPatterns = {
  key: /\[AuthFailure|\[UnauthorizedOperation/,
  billing: /InArrears|ResourcePackExhausted|ServiceStopArrears/,
  rateLimit: /\[(?:Request)?LimitExceeded/,
  request: /\[InvalidParameter|\[(?:FailedOperation\.)?(?:ContentRisk|TextIllegal)/,
};

const problemOf = (failed: Fields): Fields => {
  const message = textOf(failed['message'] ?? failed['msg']) ?? '';
  const code = textOf(failed['code']);
  const known = matchError(ACCOUNT, { status: 0, message, ...(code !== undefined && { code }) });
  return { message, code: known ?? failed['code'] };
};

const writeRequest: Egress['writeRequest'] = (request) => {
  requireOneAnswer(request);
  requireTextAnswer(request);
  // The format has no response format.
  const body = openaiChat.writeRequest(withFormatInWords(request));
  const known = Object.fromEntries(Object.entries(body).filter(([name]) => KNOWN.has(name)));
  const messages = listOf(body['messages']).map((item) => {
    const { content, role, ...message } = fieldsOf(item);
    return {
      ...message,
      role: role === 'developer' ? 'system' : role,
      // Content with several parts has a field of its own.
      ...(Array.isArray(content) ? { contents: content } : { content: content ?? '' }),
    };
  });
  const tools = listOf(body['tools']).map((tool) => {
    const { parameters, ...declared } = fieldsOf(fieldsOf(tool)['function']);
    return { type: 'function', function: { ...declared, parameters: JSON.stringify(parameters ?? {}) } };
  });
  return fieldsOf(renamed({ ...known, messages, ...(tools.length > 0 && { tools }) }, pascal));
};

/** The whole answer may come in place of a stream: then it is one chunk. */
const asChunk = (body: Fields): Fields => {
  const choices = listOf(body['choices']).map(fieldsOf);
  if (choices.every(({ message }) => message === undefined)) return body;
  return { ...body, choices: choices.map(({ message, ...choice }) => ({ delta: message, ...choice })) };
};

const readFrame = (frame: Frame): Frame => {
  if (frame.data.length === 0) return frame;
  try {
    return writeFrame(JSON.stringify(asChunk(asOpenai(JSON.parse(frame.data.toString())))));
  } catch {
    // A frame that is not JSON is read as empty.
    return { ...frame, data: frame.data.subarray(0, 0) };
  }
};

/** Every frame reports the usage so far; only that of the last frame counts. */
const withUsageAtEnd = (frame: Frame): Frame =>
  openaiChat.tap(frame)?.finish === undefined ? withoutUsage(frame) : frame;

const withoutUsage = (frame: Frame): Frame => {
  if (frame.data.length === 0) return frame;
  const { usage: _, ...body } = fieldsOf(JSON.parse(frame.data.toString()));
  return writeFrame(JSON.stringify(body));
};

/**
 * Tencent's own chat format: OpenAI's, with capitalized field names (cloud.tencent.com/document/product/1729/105701). A
 * tool's parameters are JSON text, and content with several parts is in `Contents`.
 */
export const tencentChat: Egress = {
  name: 'tencent',
  writeRequest,
  tap: (frame) => openaiChat.tap(readFrame(frame)),
  tapWhole: (body) => tappedWhole(openaiChat.tapWhole(asOpenai(body))),
  readError: (status, body, retryAfter) => readUpstreamError(status, asOpenai(body), retryAfter),
  readWhole: (body) => openaiChat.readWhole(asOpenai(body)),
  openReader: () => {
    const reader = openaiChat.openReader();
    return { read: (frame) => reader.read(withUsageAtEnd(readFrame(frame))), end: () => reader.end() };
  },
};
