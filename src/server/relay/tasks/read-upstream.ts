import { parsed } from '#contract/text.ts';
import { AppError } from '#core/error.ts';
import type { OutboundRequest } from '#core/outbound.ts';
import type { TaskDeps } from './task-ports.ts';

const ANSWER_MAX_BYTES = 8 * 1024 * 1024;

/** Sends, and reads the whole answer of at most 8 MiB as JSON. Throws `upstream_failed` or `upstream_timeout`. */
export const readUpstream = async (
  deps: Pick<TaskDeps, 'sender'>,
  request: OutboundRequest,
  timeoutMs: number,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await deps.sender.send(request, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of reply.body) {
      bytes += chunk.length;
      if (bytes > ANSWER_MAX_BYTES) throw new AppError('upstream_failed', 'the answer is too large');
      chunks.push(chunk);
    }
    return { status: reply.status, body: parsed(Buffer.concat(chunks).toString()) };
  } catch (thrown) {
    if (signal.aborted)
      throw new AppError('upstream_timeout', 'the upstream took too long', { cause: thrown });
    throw thrown;
  }
};
