import { z } from 'zod';
import { modelCost } from '../../channel/channel-cost.ts';
import { endpoint, idParams, nothing } from '../../endpoint.ts';
import { draft } from './channels.ts';

/** Channel maintenance: tests and balances of all channels, and who called through one. */

/** How far background work has come. */
export const round = z.object({
  running: z.boolean(),
  done: z.number(),
  total: z.number(),
  failed: z.number(),
  /** The channel being tested now. */
  current: z.string(),
  started_time: z.number(),
  /** 0 while running. */
  finished_time: z.number(),
  stopped: z.boolean(),
});

export const testAllChannels = endpoint({
  method: 'GET',
  path: '/api/channel/test',
  access: 'admin',
  owner: 'any',
  summary: 'Begin testing all channels in the background, one after the other; refused while one runs',
  data: nothing,
});

export const updateAllBalances = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance',
  access: 'admin',
  owner: 'any',
  summary: 'Begin asking for the balance of all enabled channels in the background; refused while one runs',
  data: nothing,
});

export const updateBalance = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance/:id',
  access: 'admin',
  owner: 'any',
  summary: 'Ask the upstream for the balance of one channel; `balance` is US dollars',
  params: idParams,
  data: nothing,
  fields: z.object({ balance: z.number() }),
});

export const readRounds = endpoint({
  method: 'GET',
  path: '/api/channel/round',
  access: 'admin',
  owner: 'none',
  summary: 'How far the last test of all channels and the last update of all balances have come',
  data: z.object({ test: round.nullable(), balance: round.nullable() }),
});

export const stopRound = endpoint({
  method: 'DELETE',
  path: '/api/channel/round/:kind',
  access: 'admin',
  owner: 'none',
  summary: 'Stop testing all channels (`test`) or updating all balances (`balance`) after the one at hand',
  params: z.object({ kind: z.enum(['test', 'balance']) }),
  data: nothing,
});

export const readSightings = endpoint({
  method: 'GET',
  path: '/api/channel/test_upstream/:id',
  access: 'admin',
  owner: 'any',
  summary: 'What has been seen calling through a channel: by group, and in it by kind of program',
  params: idParams,
  data: z.object({
    groups: z.array(
      z.object({
        group: z.string(),
        first_seen: z.number(),
        last_seen: z.number(),
        client_types: z.array(
          z.object({
            client_type: z.string(),
            count: z.number(),
            first_seen: z.number(),
            last_seen: z.number(),
          }),
        ),
      }),
    ),
  }),
});

export const askPrices = endpoint({
  method: 'POST',
  path: '/api/channel/prices',
  access: 'admin',
  owner: 'any',
  summary:
    'What the upstream asks for the models of a channel in a form: dollars per million tokens or per call; saves nothing',
  body: draft,
  data: z.object({
    prices: z.array(
      z.object({
        model: z.string(),
        cost: modelCost,
        /** It asks further prices, which a table does not have: of long prompts, pictures or by request. */
        partial: z.boolean(),
      }),
    ),
    /** Models of the channel that the upstream tells no price of. */
    unpriced: z.array(z.string()),
    /** The upstream's groups. The prices are at a ratio of 1: a key of a group pays its ratio of them. */
    groups: z.array(z.object({ name: z.string(), ratio: z.number() })),
  }),
});
