import type { EndpointShape } from '../endpoint.ts';
import * as affinity from './channels/affinity.ts';
import * as attention from './channels/attention.ts';
import * as availability from './site/availability.ts';
import * as names from './site/names.ts';
import * as channelBatch from './channels/channel-batch.ts';
import * as channelLive from './channels/channel-live.ts';
import * as channelKeys from './channels/channel-keys.ts';
import * as channelChecks from './channels/channel-checks.ts';
import * as channelRouting from './channels/channel-routing.ts';
import * as channels from './channels/channels.ts';
import * as contents from './site/contents.ts';
import * as data from './logs/data.ts';
import * as evidence from './channels/evidence.ts';
import * as logs from './logs/logs.ts';
import * as modelPrices from './wallet/model-prices.ts';
import * as oauth from './people/oauth.ts';
import * as options from './site/options.ts';
import * as priceBook from './wallet/price-book.ts';
import * as pricePreviews from './wallet/price-previews.ts';
import * as pricing from './wallet/pricing.ts';
import * as passwordReset from './people/password-reset.ts';
import * as reconcile from './wallet/reconcile.ts';
import * as redemptions from './wallet/redemptions.ts';
import * as passkeys from './people/passkeys.ts';
import * as personal from './people/personal.ts';
import * as secondFactor from './people/second-factor.ts';
import * as seals from './wallet/seals.ts';
import * as session from './people/session.ts';
import * as setup from './site/setup.ts';
import * as statements from './wallet/statements.ts';
import * as tasks from './logs/tasks.ts';
import * as tokens from './people/tokens.ts';
import * as usageLinks from './people/usage-links.ts';
import * as users from './people/users.ts';
import * as wallet from './wallet/wallet.ts';

const isEndpoint = (value: unknown): value is EndpointShape =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

/** Every contract file that describes calls, by its noun. The compiler requires handlers for each. */
export const nouns = Object.freeze({
  setup,
  session,
  oauth,
  personal,
  secondFactor,
  passkeys,
  users,
  names,
  options,
  channels,
  channelBatch,
  channelChecks,
  affinity,
  attention,
  availability,
  channelRouting,
  channelKeys,
  channelLive,
  evidence,
  tokens,
  logs,
  tasks,
  reconcile,
  redemptions,
  wallet,
  passwordReset,
  contents,
  data,
  pricing,
  modelPrices,
  priceBook,
  pricePreviews,
  statements,
  usageLinks,
  seals,
});

/** All endpoints. The server refuses to start if one has no handler; tests check them all. */
export const endpoints: readonly EndpointShape[] = Object.values(nouns)
  .flatMap((file) => Object.values(file) as readonly unknown[])
  .filter(isEndpoint);
