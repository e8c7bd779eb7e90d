import type { EndpointShape } from '#contract/endpoint.ts';
import { ApiError } from './api-error.ts';
import { addressOf, callHeaders, wordingOf } from './api.ts';
import { saveBlob } from '../browser/download-text.ts';
import { t } from '../text/i18n.ts';
import { signInAgain } from '../session/sign-in-again.ts';

const LINE_FEED = 10;

/**
 * Saves an endpoint's answer as a file, also the answer to a file, and reports how many lines have arrived. Throws an
 * ApiError whose message can be shown; an incomplete file is not saved.
 */
export const downloadFile = async (
  endpoint: Pick<EndpointShape, 'path'>,
  sent: { readonly params?: unknown; readonly query?: unknown; readonly file?: Blob },
  fileName: string,
  signal: AbortSignal,
  onProgress: (rows: number, total: number) => void,
): Promise<void> => {
  const response = await fetch(addressOf(endpoint, sent), {
    headers: callHeaders(),
    credentials: 'same-origin',
    ...(sent.file !== undefined && { method: 'POST', body: sent.file }),
    signal,
  }).catch(unreachable(signal));
  if (response.status === 401 && (await signInAgain()))
    return downloadFile(endpoint, sent, fileName, signal, onProgress);
  if (!response.ok || response.body === null) throw await errorOf(response);
  const total = Number(response.headers.get('X-Total-Rows') ?? 0);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  // The first line has the column names.
  let lines = -1;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(unreachable(signal));
    if (done) break;
    pieces.push(value);
    for (const byte of value) if (byte === LINE_FEED) lines += 1;
    onProgress(Math.max(0, lines), total);
  }
  saveBlob(fileName, new Blob(pieces, { type: response.headers.get('content-type') ?? 'text/csv' }));
};

/** Replaces the browser's own message for a server that does not answer. */
const unreachable =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    throw signal.aborted ? error : new ApiError(t('error.unreachable'), 0);
  };

const errorOf = async (response: Response): Promise<ApiError> => {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as { readonly message?: string } | undefined;
  return new ApiError(body?.message || wordingOf(status) || t('error.http', { status }), status);
};
