import type { OptionValues } from '#contract/options.ts';
import { AppError } from './error.ts';
import { type OutboundRequest, type Sender, signedBody } from './outbound.ts';

type Sends = Pick<Sender, 'send'>;
type WorkerOptions = Pick<
  OptionValues,
  'WorkerUrl' | 'WorkerValidKey' | 'WorkerAllowHttpImageRequestEnabled'
>;

/**
 * The same sender; where the operator has set a worker, by way of it: a program elsewhere that is told what to fetch and
 * answers as the address does, so that addresses others have given never learn this server's own. It is told so as
 * new-api's worker is: `{url, key, method, headers, body}` as JSON. Addresses that are not https are refused unless the
 * operator allows them. The outbound guard looks at the worker's address as at every other.
 */
export const throughWorker = (sender: Sends, options: () => WorkerOptions): Sends => ({
  send: async (request, signal) => {
    const { WorkerUrl: url, WorkerValidKey: key, WorkerAllowHttpImageRequestEnabled: allowsHttp } = options();
    if (url === '') return sender.send(request, signal);
    if (!allowsHttp && !/^https:/i.test(request.url))
      throw new AppError('upstream_failed', 'the worker is only sent to https addresses');
    return sender.send(
      {
        ...request,
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: request.url, key, method: request.method, ...whatOf(request) }),
      },
      signal,
    );
  },
});

const whatOf = (request: OutboundRequest): object => {
  const { headers, body } = request;
  // What is sent this way is JSON; it stays the same text.
  return body === undefined
    ? { headers }
    : { headers, body: JSON.parse(String(signedBody(request))) as unknown };
};
