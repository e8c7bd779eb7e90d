import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import { callHeaders, wordingOf } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { expireSession } from '../../lib/session.ts';
import type { ChatRequest } from './chat-request.ts';
import { type Chunk, errorOf, readChunk } from './read-chunk.ts';
import { readEvents } from './read-events.ts';

export type ChatEvent =
  | { readonly kind: 'opened'; readonly requestId: string | undefined }
  | { readonly kind: 'chunk'; readonly chunk: Chunk }
  | { readonly kind: 'failed'; readonly error: string };

const refusal = async (response: Response): Promise<string> => {
  const said = errorOf(await response.json().catch(() => undefined));
  return said ?? wordingOf(response.status) ?? t('error.http', { status: response.status });
};

/**
 * Sends a conversation and gives what comes back until the end marker, the end of the stream or an error.
 * Throws only when `signal` was aborted.
 */
export async function* streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  try {
    const response = await fetch('/pg/chat/completions', {
      method: 'POST',
      headers: { ...callHeaders(), 'Content-Type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(request),
      signal,
    });
    yield { kind: 'opened', requestId: response.headers.get(REQUEST_ID_HEADER) ?? undefined };
    if (response.ok && response.body !== null) return yield* chunks(response.body);
    yield { kind: 'failed', error: await refusal(response) };
    if (response.status === 401) expireSession();
  } catch (error) {
    if (signal.aborted) throw error;
    yield { kind: 'failed', error: t('error.unreachable') };
  }
}

async function* chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
  for await (const data of readEvents(body)) {
    if (data === '[DONE]') return;
    const chunk = readChunk(data);
    if (chunk === undefined) continue;
    if (chunk.error === undefined) yield { kind: 'chunk', chunk };
    else return yield { kind: 'failed', error: chunk.error };
  }
}
