import { parsed } from '#contract/json-text.ts';
import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf, wordOf } from '#core/json/fields.ts';
import { readUsage } from '../../dialects/openai/usage/usage.ts';
import { SseParser } from '../../dialects/sse.ts';
import { matchError, type ErrorPatterns } from '../shared/description/error-patterns.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { textOnlyChat } from '../shared/chat/text-only-chat.ts';
import { joinPieces, type Piece, textOnlyEgress } from '../shared/chat/text-only-egress.ts';
import { provider } from '../shared/description/provider.ts';

/** Source: coze.cn/open/docs, "发起对话", events of a stream. */
const readFrame = (data: Fields, event: string): Piece | undefined => {
  const id = textOf(data['chat_id'] ?? data['id']) ?? '';
  const isAnswer = data['type'] === 'answer' && data['role'] === 'assistant';
  switch (event) {
    case 'conversation.message.delta':
      if (!isAnswer) return undefined;
      return { id, text: textOf(data['content']) ?? '', reasoning: textOf(data['reasoning_content']) ?? '' };
    case 'conversation.chat.completed': {
      const { input_count: input, output_count: output } = fieldsOf(data['usage']);
      const usage = readUsage({ prompt_tokens: input, completion_tokens: output });
      return { id, finish: 'stop', ...(usage !== undefined && { usage }) };
    }
    case 'conversation.chat.failed':
    case 'conversation.chat.requires_action':
      return { error: problemOf(fieldsOf(data['last_error'])) };
    case 'done':
      return { done: true };
    case 'error':
      return { error: problemOf(data) };
    default:
      return isRefusal(data) ? { error: problemOf(data) } : undefined;
  }
};

const isRefusal = (data: Fields): boolean => typeof data['code'] === 'number' && data['code'] !== 0;

/** Source: coze.cn/open/docs, error codes. */
const ACCOUNT: ErrorPatterns = {
  key: /\[(?:4100|4101|700012006)\]/,
  billing: /\[(?:4027|4028)\]/,
  rateLimit: /\[(?:4013|429)\]/,
  request: /\[4000\]/,
};

const problemOf = (data: Fields): { readonly message: string; readonly code: string } => {
  const message = textOf(data['msg'] ?? data['message']) ?? 'the bot could not answer';
  const code = typeof data['code'] === 'number' ? String(data['code']) : (textOf(data['code']) ?? '');
  return { message, code: matchError(ACCOUNT, { status: 0, code, message }) ?? code };
};

/** A whole answer would need polling, so requests always stream, and the stream is read whole. */
const parseWhole = (bytes: Buffer): unknown => {
  const parser = new SseParser();
  const frames = [...parser.feed(bytes), ...parser.end()];
  const events = frames.flatMap((frame) => {
    const data = parsed(frame.data.toString());
    return isFields(data) ? [{ event: frame.event, data }] : [];
  });
  return events.length === 0 ? parsed(bytes.toString()) : { events };
};

const wholeOf = (events: readonly unknown[]): Piece => {
  const joined = joinPieces(
    events.map(fieldsOf).map(({ event, data }) => readFrame(fieldsOf(data), wordOf(event))),
  );
  const isOver = joined.finish !== undefined || joined.error !== undefined || events.length === 0;
  return isOver ? joined : { error: { message: 'the upstream broke off in the middle of its answer' } };
};

/** A Coze bot; its id is the channel's `other` (coze.cn/open/docs/developer_guides/chat_v3). */
export const coze = provider({
  types: [49],
  key: 'bearer',
  dialect: textOnlyEgress({
    name: 'coze',
    hasNoStops: true,
    writeRequest: (request) => {
      const { system, turns } = textOnlyChat(request);
      const messages = system === '' ? turns : [{ role: 'user' as const, text: system }, ...turns];
      return {
        user_id: request.endUser ?? 'tollgate',
        stream: true,
        auto_save_history: false,
        additional_messages: messages.map(({ role, text }) => ({
          role,
          content: text,
          content_type: 'text',
          ...(role === 'assistant' && { type: 'answer' }),
        })),
      };
    },
    readWhole: (body) => (isRefusal(body) ? { error: problemOf(body) } : wholeOf(listOf(body['events']))),
    readFrame,
    parseWhole,
  }),
  headers: () => ({ accept: 'text/event-stream' }),
  offers: {
    chat: {
      path: '/v3/chat',
      write: (body, _, channel) => {
        const bot = channel.other.trim();
        if (bot === '') throw new AppError('upstream_failed', 'the channel has no bot id');
        return { ...body, bot_id: bot };
      },
    },
  },
  root: (channel) => baseUrlOf(channel, '/v3/chat'),
});
