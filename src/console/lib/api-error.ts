/** What a call answered instead of data. `status` is the HTTP status, 0 when there was no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly requestId: string | undefined;

  constructor(message: string, status: number, requestId?: string) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** The sentence of any thrown value, ready to be shown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
