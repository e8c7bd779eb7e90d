/** The error of a call. `status` is the HTTP status, or 0 if there was no answer; `beside` has the other fields of the answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly requestId: string | undefined;
  readonly beside: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    status: number,
    requestId?: string,
    beside: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.beside = beside;
  }
}

/** The server's messages begin with a small letter; shown, each is a sentence. A name at its start is kept. */
export const asSentence = (message: string): string =>
  message.replace(/^[a-z](?=[a-z]*[ ,:])/, (first) => first.toUpperCase());

/** The sentence of any thrown value, ready to be shown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
