import type { OptionValues } from '#contract/options.ts';
import { AppError } from '../error.ts';
import { type OutboundRequest, type Sender, signedBody } from './outbound.ts';

type Sends = Pick<Sender, 'send'>;
type WorkerOptions = Pick<
  OptionValues,
  'WorkerUrl' | 'WorkerValidKey' | 'WorkerAllowHttpImageRequestEnabled'
>;

/**
 * Sends requests through the operator's worker, if one is set, so that addresses given by others never see this
 * server's own address. The worker fetches an address and returns the response. It uses new-api's format: JSON with
 * `{url, key, method, headers, body}`. Addresses without https are refused unless the operator allows them.
 * `checkTarget` guards the requested address, because the worker may stand inside our network; the outbound guard
 * also checks the worker's own address.
 * @param toWorker reaches workers that `sender` may not reach
 */
export const throughWorker = (
  sender: Sends,
  options: () => WorkerOptions,
  checkTarget: (url: string) => Promise<void>,
  toWorker: Sends = sender,
): Sends => ({
  send: async (request, signal) => {
    const { WorkerUrl: url, WorkerValidKey: key, WorkerAllowHttpImageRequestEnabled: allowsHttp } = options();
    if (url === '') return sender.send(request, signal);
    if (!allowsHttp && !/^https:/i.test(request.url))
      throw new AppError('upstream_failed', 'the worker is only sent to https addresses');
    await checkTarget(request.url);
    return toWorker.send(
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
  // Bodies sent this way are JSON, so the text stays the same.
  return body === undefined
    ? { headers }
    : { headers, body: JSON.parse(String(signedBody(request))) as unknown };
};
