import { parsed } from '#contract/text.ts';
import { awakeSignal } from '#core/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { AppError } from '#core/error.ts';
import type { OutboundRequest } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';
import type { TaskDeps } from './task-ports.ts';

const ANSWER_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Sends, and reads the whole answer of at most 8 MiB as JSON, without the channel's key. Throws `upstream_failed` or
 * `upstream_timeout`.
 */
export const readUpstream = async (
  deps: Pick<TaskDeps, 'sender'>,
  channel: Channel,
  request: OutboundRequest,
  timeoutMs: number,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const signal = awakeSignal(timeoutMs);
  try {
    const reply = await deps.sender.send(request, signal);
    const bytes = await readAll(reply.body, ANSWER_MAX_BYTES);
    if (bytes === undefined) throw new AppError('upstream_failed', 'the answer is too large');
    return { status: reply.status, body: parsed(secretsOf(channel).mask(bytes).toString()) };
  } catch (thrown) {
    if (signal.aborted)
      throw new AppError('upstream_timeout', 'the upstream took too long', { cause: thrown });
    throw thrown;
  }
};
