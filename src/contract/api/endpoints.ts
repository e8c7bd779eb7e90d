import type { EndpointShape } from '../endpoint.ts';
import * as affinity from './affinity.ts';
import * as attention from './attention.ts';
import * as availability from './availability.ts';
import * as names from './names.ts';
import * as channelBatch from './channel-batch.ts';
import * as channelLive from './channel-live.ts';
import * as channelKeys from './channel-keys.ts';
import * as channelChecks from './channel-checks.ts';
import * as channelRouting from './channel-routing.ts';
import * as channels from './channels.ts';
import * as contents from './contents.ts';
import * as data from './data.ts';
import * as evidence from './evidence.ts';
import * as logs from './logs.ts';
import * as modelPrices from './model-prices.ts';
import * as oauth from './oauth.ts';
import * as options from './options.ts';
import * as priceBook from './price-book.ts';
import * as pricePreviews from './price-previews.ts';
import * as pricing from './pricing.ts';
import * as passwordReset from './password-reset.ts';
import * as redemptions from './redemptions.ts';
import * as passkeys from './passkeys.ts';
import * as personal from './personal.ts';
import * as secondFactor from './second-factor.ts';
import * as seals from './seals.ts';
import * as session from './session.ts';
import * as setup from './setup.ts';
import * as statements from './statements.ts';
import * as tasks from './tasks.ts';
import * as tokens from './tokens.ts';
import * as usageLinks from './usage-links.ts';
import * as users from './users.ts';
import * as wallet from './wallet.ts';

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
