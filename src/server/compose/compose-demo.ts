import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { createChannels } from '../control/channels/channels.ts';
import type { DemoDeps } from '../demo/demo-seed.ts';
import type { Story } from '../demo/demo-story.ts';
import { createRedemptions } from '../control/wallet/redemptions.ts';
import { createPriceBook } from '../control/wallet/book/price-book.ts';
import { createPriceDrafts } from '../control/wallet/book/price-drafts.ts';
import { createUsageLinks } from '../control/people/usage-links.ts';
import { createTokens } from '../control/people/tokens.ts';
import type { Parts } from './compose-control.ts';

/** Demo data has no wrong guesses to limit. */
const unlimited = { take: async () => ({ ok: true, retryAfterSeconds: 0 }), forget: async () => undefined };

/** The server's log is for real events, not for the demo's invented ones. */
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The demo uses the normal commands, with a clock set to the invented dates. */
export const composeDemo = (parts: Parts, story: Story, random: Random): DemoDeps => {
  const { stores, routing, refreshRouting, relay, passwords } = parts;
  const clock: Clock = story.clock;
  const common = { ...stores, clock, random, passwords, routing, refreshRouting, log: silent };
  return {
    ...common,
    story,
    channels: createChannels({ ...common, checkUrl: () => undefined }),
    redemptions: createRedemptions({ ...common, redeemLimit: unlimited }),
    prices: createPriceBook({ ...common, notify: async () => undefined }),
    priceDrafts: createPriceDrafts(common),
    usageLinks: createUsageLinks({ ...common, openLimit: unlimited }),
    tokens: createTokens({ ...common, relay }),
  };
};
