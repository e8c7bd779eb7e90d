import { afterEach, expect, it, vi } from 'vitest';
import type { ReplyEnd } from '../talk/conversation.ts';
import type { ChatFormat } from './chat-format.ts';
import { newExchange } from './exchange.ts';
import { runReply } from './run-reply.ts';

afterEach(() => void vi.unstubAllGlobals());

const endOf = async (format: ChatFormat, events: readonly unknown[]): Promise<ReplyEnd | undefined> => {
  const lines = events.map(
    (event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
  );
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(lines.join(''))));
  const request = { format, path: '/pg/any', body: { model: 'any' } };
  let ended: ReplyEnd | undefined;
  await runReply(request, newExchange(request), new AbortController().signal, {
    text: () => undefined,
    more: () => undefined,
    meter: () => undefined,
    end: (end) => {
      ended = end;
    },
  });
  return ended;
};

const chat = (reason: string | null) => ({ choices: [{ delta: { content: 'a' }, finish_reason: reason }] });
const stop = (reason: string) => ({ type: 'message_delta', delta: { stop_reason: reason } });
const incomplete = (reason: string) => ({
  type: 'response.incomplete',
  response: { incomplete_details: { reason } },
});
const candidate = (reason: string) => ({ candidates: [{ finishReason: reason }] });

it.each([
  ['openai-chat', [chat(null), chat('stop'), '[DONE]'], ''],
  ['openai-chat', [chat(null), '[DONE]'], ''],
  ['openai-chat', [chat('tool_calls')], ''],
  ['openai-chat', [chat('length'), '[DONE]'], 'length'],
  ['openai-chat', [chat('content_filter'), '[DONE]'], 'filter'],
  ['openai-chat', [chat(null)], 'broken'],
  ['openai-chat', [], 'broken'],
  ['openai-responses', [{ type: 'response.completed' }], ''],
  ['openai-responses', [incomplete('max_output_tokens')], 'length'],
  ['openai-responses', [incomplete('content_filter')], 'filter'],
  ['openai-responses', [{ type: 'response.output_text.delta', delta: 'a' }], 'broken'],
  ['anthropic-messages', [stop('end_turn'), { type: 'message_stop' }], ''],
  ['anthropic-messages', [stop('max_tokens'), { type: 'message_stop' }], 'length'],
  ['anthropic-messages', [stop('refusal'), { type: 'message_stop' }], 'filter'],
  ['anthropic-messages', [{ type: 'content_block_delta', delta: { text: 'a' } }], 'broken'],
  ['gemini', [candidate('STOP')], ''],
  ['gemini', [candidate('MAX_TOKENS')], 'length'],
  ['gemini', [candidate('SAFETY')], 'filter'],
  ['gemini', [{ candidates: [{ content: { parts: [{ text: 'a' }] } }] }], 'broken'],
] as const)('a reply of %s that is cut short says why: %j is "%s"', async (format, events, cut) => {
  expect(await endOf(format, events)).toEqual({ status: 'complete', cut });
});
