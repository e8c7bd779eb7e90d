import type { Channel } from '#core/channel/channel.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { asEgress, callerDialect, formatFor, isRepeated, type UpstreamFormat } from './format.ts';
import type { RelayDeps, Upstream } from './ports.ts';
import { withoutSeals, withOwnSeals } from './own-seals.ts';
import { requireNative } from './require-native.ts';
import { known, type Running } from './running.ts';
import { upstreamModel } from './upstream-model.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The caller's request in the upstream's format, or why that format cannot say it. Written once for all alike. */
export const writtenRequest = (
  running: Running,
  channel: Channel,
  format: UpstreamFormat,
): Fields | AppError => {
  const model = upstreamModel(channel, known(running.asked, 'read').facts.model);
  const { systemPrompt = '' } = channel.setting;
  const key = `${format.name}\n${model}\n${systemPrompt}\n${String(running.isUnsealed)}`;
  const before = running.written.get(key);
  if (before !== undefined) return before;
  const written = write(running, { model, systemPrompt }, format);
  running.written.set(key, written);
  return written;
};

const write = (
  running: Running,
  { model, systemPrompt }: { readonly model: string; readonly systemPrompt: string },
  format: UpstreamFormat,
): Fields | AppError => {
  try {
    running.read ??= callerDialect(running).readRequest(known(running.asked, 'read').told);
    requireNative(running.read, format.name);
    const own = withOwnSeals({ ...running.read, model }, format.name);
    const request = running.isUnsealed ? withoutSeals(own) : own;
    return asEgress(format).writeRequest(withSystemPrompt(request, systemPrompt));
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

/** Why the caller's request cannot be said to this channel's upstream; undefined where it can. */
export const refusalOf = (running: Running, channel: Channel, upstream: Upstream): AppError | undefined => {
  if (running.call.operation !== 'chat') return undefined;
  const format = formatFor(running, upstream, channel);
  if (isRepeated(running, channel, format)) return undefined;
  const written = writtenRequest(running, channel, format);
  return written instanceof AppError ? written : undefined;
};

/**
 * Throws `invalid_request`, before anything is held, for a chat that none of the channels that serve its model could be
 * told: each speaks another format than the caller, which has no word for one of its fields.
 */
export const refuseInexpressible = (deps: Pick<RelayDeps, 'upstreamOf'>, running: Running): void => {
  const { routing, group, call } = running;
  if (call.operation !== 'chat' || running.caller?.channelId !== undefined) return;
  let refusal: AppError | undefined;
  for (const { channels } of routing.tiers.get(group)?.get(known(running.asked, 'read').facts.model) ?? []) {
    for (const channel of channels) {
      const upstream = deps.upstreamOf(channel.type);
      if (upstream === undefined || !upstream.operations.includes('chat')) continue;
      const because = refusalOf(running, channel, upstream);
      if (because === undefined) return;
      refusal ??= because;
    }
  }
  if (refusal !== undefined) throw refusal;
};
