import { parsed } from '#contract/json-text.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { AppError } from '#core/error.ts';
import { valuesIn } from '#core/json/bounds.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { readAll } from '#core/read-all.ts';
import type { TaskDeps } from './task-ports.ts';

const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
/** Several times the number of values in the largest list of tasks that is asked for at once. */
const MOST_VALUES = 100_000;

/**
 * Sends a request and reads the whole answer, at most 8 MiB, as JSON; the channel's key is masked in it. Throws
 * `upstream_failed` or `upstream_timeout`.
 */
export const askUpstream = async (
  deps: Pick<TaskDeps, 'sender'>,
  channel: Channel,
  request: OutboundRequest,
  timeoutMs: number,
): Promise<Pick<OutboundReply, 'status' | 'headers'> & { readonly body: unknown }> => {
  const signal = awakeSignal(timeoutMs);
  try {
    const reply = await deps.sender.send(request, signal);
    const bytes = await readAll(reply.body, ANSWER_MAX_BYTES);
    if (bytes === undefined || valuesIn(bytes, MOST_VALUES) > MOST_VALUES)
      throw new AppError('upstream_failed', 'the answer is too large');
    const { status, headers } = reply;
    return { status, headers, body: parsed(secretsOf(channel).mask(bytes).toString()) };
  } catch (thrown) {
    if (signal.aborted)
      throw new AppError('upstream_timeout', 'the upstream took too long', { cause: thrown });
    throw thrown;
  }
};

/** A request to a Midjourney Proxy channel. Throws `no_channel` if it has no address. */
export const midjourneyRequest = (channel: Channel, path: string, body?: unknown): OutboundRequest => {
  if (channel.baseUrl === '') throw new AppError('no_channel', 'the channel has no address');
  return {
    method: body === undefined ? 'GET' : 'POST',
    url: channel.baseUrl + path,
    headers: { 'content-type': 'application/json', 'mj-api-secret': channel.key.reveal() },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(channel.setting.proxy !== undefined && { proxy: channel.setting.proxy }),
  };
};

/** A request to a Suno channel. Throws `no_channel` if it has no address. */
export const sunoRequest = (channel: Channel, path: string, body: unknown): OutboundRequest => {
  if (channel.baseUrl === '') throw new AppError('no_channel', 'the channel has no address');
  return {
    method: 'POST',
    url: channel.baseUrl + path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key.reveal()}` },
    body: JSON.stringify(body),
    ...(channel.setting.proxy !== undefined && { proxy: channel.setting.proxy }),
  };
};
