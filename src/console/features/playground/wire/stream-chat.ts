import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { callHeaders, wordingOf } from '../../../lib/server/api.ts';
import { t } from '../../../lib/text/i18n.ts';
import { expireSession, sessionUser } from '../../../lib/session/session.ts';
import { signInAgain } from '../../../lib/session/sign-in-again.ts';
import type { ChatFormat } from './chat-format.ts';
import type { ChatRequest } from './chat-request.ts';
import { type Exchange, recorded, tell } from './exchange.ts';
import { type Chunk, errorOf, readChunk } from './read-chunk.ts';
import { readEvents } from './read-events.ts';

export type ChatEvent =
  /** The request is sent again, and the reply starts over. */
  | { readonly kind: 'again' }
  | { readonly kind: 'opened'; readonly requestId: string | undefined }
  | { readonly kind: 'chunk'; readonly chunk: Chunk }
  /** The stream's own end mark, which not every format has. */
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: string };

const refusal = (status: number, answer: string): string => {
  let message: string | undefined;
  try {
    message = errorOf(JSON.parse(answer));
  } catch {
    // A proxy's web page says no more than the status.
  }
  return message ?? wordingOf(status) ?? t('error.http', { status });
};

/**
 * Sends a conversation and yields the reply until the end marker, the end of the stream or an error; records the
 * exchange in `exchange`. A session that has ended asks to sign in over the page, and sends again. Throws only if
 * `signal` was aborted.
 */
export async function* streamChat(
  request: ChatRequest,
  exchange: Exchange,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const { format, path, body } = request;
  const caller = sessionUser()?.id;
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { ...callHeaders(), 'Content-Type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(body),
      signal,
    });
    if (response.status === 401 && (await signInAgain())) {
      yield { kind: 'again' };
      return yield* streamChat(request, exchange, signal);
    }
    yield { kind: 'opened', requestId: response.headers.get(REQUEST_ID_HEADER) ?? undefined };
    exchange.status = response.status;
    tell(exchange);
    if (response.ok && response.body !== null)
      return yield* chunks(format, recorded(exchange, response.body));
    exchange.answer = await response.text();
    tell(exchange);
    yield { kind: 'failed', error: refusal(response.status, exchange.answer) };
    // Another user may have signed in meanwhile.
    if (response.status === 401 && sessionUser()?.id === caller) expireSession();
  } catch (error) {
    if (signal.aborted) throw error;
    yield { kind: 'failed', error: t('error.unreachable') };
  }
}

async function* chunks(format: ChatFormat, body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
  for await (const data of readEvents(body)) {
    if (data === '[DONE]') return yield { kind: 'done' };
    const chunk = readChunk(format, data);
    if (chunk === undefined) continue;
    if (chunk.error === undefined) yield { kind: 'chunk', chunk };
    else return yield { kind: 'failed', error: chunk.error };
  }
}
