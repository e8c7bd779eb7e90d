import type { Clock, Random } from '#core/clock.ts';
import { createChannels } from '../control/channels.ts';
import type { DemoDeps } from '../control/demo-seed.ts';
import type { Story } from '../control/demo-story.ts';
import { createRedemptions } from '../control/redemptions.ts';
import { createTokens } from '../control/tokens.ts';
import type { Parts } from './compose-control.ts';

/** Nobody guesses codes in a story. */
const unlimited = { take: async () => ({ ok: true, retryAfterSeconds: 0 }), forget: async () => undefined };

/** What fills the demo: the same commands as ever, by the clock of what is told. */
export const composeDemo = (parts: Parts, story: Story, random: Random): DemoDeps => {
  const { stores, routing, refreshRouting, relay, passwords } = parts;
  const clock: Clock = story.clock;
  const common = { ...stores, clock, random, passwords, routing, refreshRouting };
  return {
    ...common,
    story,
    channels: createChannels({ ...common, checkUrl: () => undefined }),
    redemptions: createRedemptions({ ...common, redeemLimit: unlimited }),
    tokens: createTokens({ ...common, options: () => routing().options, relay }),
  };
};
