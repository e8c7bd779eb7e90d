import type { OptionValues } from '#contract/options.ts';
import { throughWorker } from '#core/outbound-worker.ts';
import type { Config } from '../config.ts';
import { createSocketConnector } from '../providers/connect-socket.ts';
import { createOpenSocket } from '../providers/open-socket.ts';
import { addressGuard, checkOutboundUrl } from '../providers/outbound-guard.ts';
import { createSender } from '../providers/send.ts';

/** What leads outside, all of it guarded alike. */
export const composeOutbound = (
  { allowPrivateUpstreams: allowPrivate, allowPrivateMail }: Config,
  options: () => OptionValues,
) => {
  const sender = createSender({ allowAddress: addressGuard({ allowPrivate }) });
  return {
    sender,
    /** For addresses that upstreams and users have given. */
    strangers: throughWorker(sender, options),
    checkUrl: (url: string) => checkOutboundUrl(url, { allowPrivate }),
    /** A relay beside Tollgate is no reason to let channels in there. */
    openMailSocket: createOpenSocket({ allowAddress: addressGuard({ allowPrivate: allowPrivateMail }) }),
    connectSocket: createSocketConnector({ allowAddress: addressGuard({ allowPrivate }) }),
  };
};
