import type { Channel } from '#core/channel/channel.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { withoutSpareTools } from '#core/chat/leave-out-tools.ts';
import { AppError } from '#core/error.ts';
import { fitRequest } from './fit-request.ts';
import { asEgress, callerDialect, type UpstreamFormat } from './format.ts';
import { withoutSeals, withOwnSeals } from './own-seals.ts';
import { requireNative } from './require-native.ts';
import { type Asking, known } from './running.ts';
import { upstreamModel } from './upstream-model.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The caller's request in the upstream's format, or why that format cannot say it. Written once for all alike. */
export const writtenRequest = (
  running: Asking,
  channel: Channel,
  format: UpstreamFormat,
): Fields | AppError => {
  const { facts, far } = known(running.asked, 'read');
  if (far !== undefined) return far.verdict(running, channel, format);
  const model = upstreamModel(channel, facts.model);
  const { systemPrompt = '' } = channel.setting;
  // By the format itself: kinds of upstream write the format of one name in ways of their own.
  running.written ??= new Map();
  const inFormat = running.written.get(format) ?? new Map<string, Fields | AppError>();
  running.written.set(format, inFormat);
  const key = `${model}\n${systemPrompt}\n${String(running.isUnsealed)} ${String(running.sparesTools)}`;
  const before = inFormat.get(key);
  if (before !== undefined) return before;
  const written = write(running, { model, systemPrompt }, format);
  inFormat.set(key, written);
  return written;
};

const write = (
  running: Asking,
  { model, systemPrompt }: { readonly model: string; readonly systemPrompt: string },
  format: UpstreamFormat,
): Fields | AppError => {
  try {
    running.chatRequest ??= callerDialect(running).readRequest(known(running.asked, 'read').told);
    const asked = running.sparesTools
      ? withoutSpareTools(running.chatRequest, format.name).request
      : running.chatRequest;
    requireNative(asked, format.name);
    const own = withOwnSeals({ ...asked, model }, format.name);
    const request = running.isUnsealed ? withoutSeals(own) : own;
    const egress = asEgress(format);
    const told = withSystemPrompt(request, systemPrompt);
    return egress.writeRequest(format.name === running.wire.name ? told : fitRequest(told, egress));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_request') return thrown;
    throw thrown;
  }
};

/** The operator's own instruction goes first in chats that bring none. */
const withSystemPrompt = (request: ChatRequest, prompt: string): ChatRequest => {
  const bringsOne = request.messages.some(({ role }) => role === 'system' || role === 'developer');
  if (prompt === '' || bringsOne) return request;
  return {
    ...request,
    messages: [{ role: 'system', content: [{ type: 'text', text: prompt }] }, ...request.messages],
  };
};
