/** The paths of the Messages format: Anthropic's own, Bedrock's and Vertex's. */
const MESSAGES =
  /\/messages$|\/model\/([^/]+)\/invoke(?:-with-response-stream)?$|\/([^/]+):(?:stream)?[rR]awPredict$/;

export const isMessagesPath = (path: string): boolean => MESSAGES.test(path);

/** The model and streaming mode in a path; undefined where both are in the body. */
export const messagesPath = (
  path: string,
): { readonly model: string; readonly stream: boolean } | undefined => {
  const [, atBedrock, atVertex] = MESSAGES.exec(path) ?? [];
  const model = atBedrock ?? atVertex;
  if (model === undefined) return undefined;
  return { model: decodeURIComponent(model), stream: /stream/.test(path.slice(path.lastIndexOf('/'))) };
};

/** An error in Anthropic's format. */
export const messagesError = (status: number, message: string): unknown => ({
  type: 'error',
  error: { type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message },
  request_id: 'req_simulated',
});

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
