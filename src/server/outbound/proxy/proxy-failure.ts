import { type MessageKey, type PhraseValues, say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';

type ProxyMessage = Extract<MessageKey, `proxy_${string}`>;

/** An error of a proxy, without its address and credentials: those are the operator's. */
export const proxyFailure = (key: ProxyMessage, values: PhraseValues = {}, cause?: unknown): AppError =>
  new AppError(key === 'proxy_late' ? 'upstream_timeout' : 'upstream_failed', say(key, 'en', values), {
    reason: key,
    values,
    ...(cause === undefined ? {} : { cause }),
  });
