import { t } from '../text/i18n.ts';

/** The error of a call. `status` is the HTTP status, or 0 if there was no answer; `beside` has the other fields of the answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly requestId: string | undefined;
  readonly beside: Readonly<Record<string, unknown>>;
  /** What came is no answer of this server: cut off, or the page of a proxy. */
  readonly isUnread: boolean;

  constructor(
    message: string,
    status: number,
    requestId?: string,
    beside: Readonly<Record<string, unknown>> = {},
    isUnread = false,
  ) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.beside = beside;
    this.isUnread = isUnread;
  }
}

/** The server's messages begin with a small letter; shown, each is a sentence. A name at its start is kept. */
export const asSentence = (message: string): string =>
  message.replace(/^[a-z](?=[a-z]*[ ,:])/, (first) => first.toUpperCase());

/**
 * The sentence of any thrown value, ready to be shown. Where something cannot be fetched or loaded, browsers throw a TypeError, with
 * words of their own and an address.
 */
export const messageOf = (error: unknown): string => {
  if (error instanceof TypeError) return t('error.pageMissing');
  return error instanceof Error ? error.message : String(error);
};

/**
 * Which of a form's fields the server refused; undefined if it is none of them. Of `setting.proxy` it is that field, else
 * `setting`.
 */
export const refusedField = (error: unknown, fields: readonly string[]): string | undefined => {
  const named = error instanceof ApiError ? error.beside['field'] : undefined;
  if (typeof named !== 'string') return undefined;
  return [named, named.split('.')[0]].find((name) => name !== undefined && fields.includes(name));
};
