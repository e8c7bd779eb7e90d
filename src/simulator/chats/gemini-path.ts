const METHOD = /\/models\/([^/]+):(\w+)(?:\?|$)/;

/** The model and method of Google's path `…/models/NAME:METHOD`; undefined for any other. */
export const geminiPath = (path: string): { readonly model: string; readonly method: string } | undefined => {
  const [, model, method] = METHOD.exec(path) ?? [];
  return model === undefined || method === undefined
    ? undefined
    : { model: decodeURIComponent(model), method };
};

/** An error in Google's format (google.rpc.Status). */
export const geminiError = (status: number, message: string): unknown => ({
  error: { code: status, message, status: WORDS[status] ?? 'INTERNAL' },
});

const WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
