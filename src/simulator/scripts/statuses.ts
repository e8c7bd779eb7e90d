import type { Script } from '../script.ts';
import { sendError, type Call } from '../wire.ts';

interface Failure {
  readonly status: number;
  readonly description: string;
  readonly message: string;
  readonly type: string;
  readonly code?: string;
  readonly param?: string;
  readonly headers?: Record<string, string>;
}

const failing = ({ status, description, headers, ...error }: Failure): Script => ({
  description,
  outcome: 'refused',
  run: ({ response }) => sendError(response, status, error, headers),
});

const page = (status: number, description: string): Script => ({
  description,
  outcome: 'refused',
  run: ({ response }: Call) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(`<html><body><center><h1>${status}</h1></center><hr><center>nginx</center></body></html>`);
  },
});

/** Upstreams that refuse. */
export const statuses: Readonly<Record<string, Script>> = {
  'status-400': failing({
    status: 400,
    description: 'the request is wrong: a parameter is not supported',
    message: "Unsupported parameter: 'banana'.",
    type: 'invalid_request_error',
    code: 'unsupported_parameter',
    param: 'banana',
  }),
  'status-401': failing({
    status: 401,
    description: 'our key is wrong',
    message: 'Incorrect API key provided.',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  }),
  'status-402': failing({
    status: 402,
    description: 'our balance is used up',
    message: 'Insufficient Balance',
    type: 'unknown_error',
    code: 'invalid_request_error',
  }),
  'status-403': failing({
    status: 403,
    description: 'our account may not',
    message: 'Country, region, or territory not supported',
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
  }),
  'status-404': failing({
    status: 404,
    description: 'the model does not exist',
    message: 'The model `x` does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    code: 'model_not_found',
  }),
  'status-422': failing({
    status: 422,
    description: 'a field is refused',
    message: 'Extra inputs are not permitted',
    type: 'invalid_request_error',
  }),
  'status-429': failing({
    status: 429,
    description: 'too many calls, with Retry-After of 7 s',
    message: 'Rate limit reached for requests',
    type: 'requests',
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': '7' },
  }),
  'status-429-bare': failing({
    status: 429,
    description: 'too many calls, not saying for how long',
    message: 'Too many requests',
    type: 'requests',
  }),
  'quota-used-up': failing({
    status: 429,
    description: 'our account has no quota left',
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  }),
  'status-500': failing({
    status: 500,
    description: 'an error of its own',
    message: 'The server had an error',
    type: 'server_error',
  }),
  'status-502': page(502, 'a web page of a proxy: bad gateway'),
  'status-503': failing({
    status: 503,
    description: 'overloaded, with Retry-After of 3 s',
    message: 'The engine is currently overloaded',
    type: 'server_error',
    headers: { 'retry-after': '3' },
  }),
  'status-504': page(504, 'a web page of a proxy: gateway timeout'),
  'status-524': page(524, 'a web page of a proxy: a timeout occurred'),
};
