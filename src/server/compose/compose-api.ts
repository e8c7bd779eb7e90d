import type { Log } from '#core/logging.ts';
import type { Config } from '../config.ts';
import { readKnownModels } from '../control/channels/known-models.ts';
import type { Site } from '../control/site/site.ts';
import { createUpdateCheck } from '../control/site/update-check.ts';
import { createPublicAvailability } from '../control/site/availability.ts';
import { createUptime } from '../control/site/uptime.ts';
import { affinityHandlers } from '../http/api/channels/affinity.ts';
import { attentionHandlers } from '../http/api/channels/attention.ts';
import { availabilityHandlers } from '../http/api/site/availability.ts';
import { nameHandlers } from '../http/api/site/names.ts';
import { channelKeyHandlers } from '../http/api/channels/channel-keys.ts';
import { channelBatchHandlers } from '../http/api/channels/channel-batch.ts';
import { channelCheckHandlers } from '../http/api/channels/channel-checks.ts';
import { channelRoutingHandlers } from '../http/api/channels/channel-routing.ts';
import { channelLiveHandlers } from '../http/api/channels/channel-live.ts';
import { channelHandlers } from '../http/api/channels/channels.ts';
import { freeToday } from '../http/api/channels/free-today.ts';
import { contentHandlers } from '../http/api/site/contents.ts';
import { dataHandlers } from '../http/api/logs/data.ts';
import { evidenceHandlers } from '../http/api/channels/evidence.ts';
import { logHandlers } from '../http/api/logs/logs.ts';
import { oauthHandlers } from '../http/api/people/oauth.ts';
import { modelPriceHandlers } from '../http/api/wallet/model-prices.ts';
import { optionHandlers } from '../http/api/site/options.ts';
import { priceBookHandlers } from '../http/api/wallet/price-book.ts';
import { pricePreviewHandlers } from '../http/api/wallet/price-previews.ts';
import { pricingHandlers } from '../http/api/wallet/pricing.ts';
import { passwordResetHandlers } from '../http/api/people/password-reset.ts';
import { reconcileHandlers } from '../http/api/wallet/reconcile.ts';
import { redemptionHandlers } from '../http/api/wallet/redemptions.ts';
import { passkeyHandlers } from '../http/api/people/passkeys.ts';
import { personalHandlers } from '../http/api/people/personal.ts';
import { secondFactorHandlers } from '../http/api/people/second-factor.ts';
import { sessionHandlers } from '../http/api/people/session.ts';
import { setupHandlers } from '../http/api/site/setup.ts';
import { imageUrlOf } from '../relay/tasks/midjourney-calls.ts';
import { sealHandlers } from '../http/api/wallet/seals.ts';
import { statementHandlers } from '../http/api/wallet/statements.ts';
import { taskHandlers } from '../http/api/logs/tasks.ts';
import { tokenHandlers } from '../http/api/people/tokens.ts';
import { usageLinkHandlers } from '../http/api/people/usage-links.ts';
import { userHandlers } from '../http/api/people/users.ts';
import { walletHandlers } from '../http/api/wallet/wallet.ts';
import { createApi } from '../http/api.ts';
import { mountEpayNotice } from '../http/epay-notice.ts';
import { createApiLimits } from '../limits/api-limits.ts';
import { createDurableLimits } from '../limits/durable-limits.ts';
import { providerOf } from '../providers/registry.ts';
import { systemClock as clock } from '../system.ts';
import type { Parts } from './compose-control.ts';
import { LiveNews } from './live-news.ts';

/** The dependencies of all handlers; each group picks its own. */
const depsOf = (parts: Parts, site: Site, knownModels: Awaited<ReturnType<typeof readKnownModels>>) => ({
  ...parts,
  logs: parts.stores.logs,
  journal: parts.stores.journal,
  users: parts.stores.users,
  clock,
  site,
  knownModels,
});

const aboutChannels = (deps: ReturnType<typeof depsOf>) => {
  const { stores, routing } = deps;
  const live = { ...deps, relay: deps.relay.parts };
  return {
    channels: channelHandlers({
      ...deps,
      freeToday: (channel) => freeToday(stores.allowances, channel, clock.now()),
    }),
    channelBatch: channelBatchHandlers(deps),
    channelChecks: channelCheckHandlers(deps),
    affinity: affinityHandlers({ ...deps, usage: stores.usage }),
    attention: attentionHandlers({
      ...deps,
      channelRows: stores.channels,
      channelKeys: stores.channelKeys,
      priceBook: stores.priceBook,
      health: live.relay.health,
    }),
    availability: availabilityHandlers(
      createPublicAvailability({ ...deps, availability: stores.availability }),
    ),
    channelRouting: channelRoutingHandlers(deps),
    channelKeys: channelKeyHandlers(deps),
    channelLive: channelLiveHandlers({ ...live, liveNews: new LiveNews(live) }),
    evidence: evidenceHandlers({ ...deps, evidence: stores.evidence, options: () => routing().options }),
  };
};

/** The control plane's endpoints with their handlers. */
export const composeApi = async (config: Config, parts: Parts, site: Site, log: Log) => {
  const knownModels = await readKnownModels(providerOf);
  const { stores, routing } = parts;
  const checkUpdate = createUpdateCheck({ ...parts, options: () => routing().options, log });
  const uptime = createUptime({ ...parts, options: () => routing().options, clock, log });
  const deps = depsOf(parts, site, knownModels);
  const app = createApi(
    {
      setup: setupHandlers(deps),
      session: sessionHandlers(deps),
      personal: personalHandlers(deps),
      oauth: oauthHandlers(deps),
      secondFactor: secondFactorHandlers(deps),
      passkeys: passkeyHandlers(deps),
      users: userHandlers(deps),
      names: nameHandlers({ ...deps, channelRows: stores.channels, options: stores.options }),
      options: optionHandlers(deps),
      ...aboutChannels(deps),
      tokens: tokenHandlers(deps),
      logs: logHandlers({
        ...deps,
        quotaPerUnit: () => routing().options.QuotaPerUnit,
      }),
      tasks: taskHandlers({
        ...deps,
        taskStore: stores.tasks,
        imageUrlOf: (task, origin) => imageUrlOf(parts, task, origin),
      }),
      reconcile: reconcileHandlers({ ...deps, houseCosts: stores.houseCosts }),
      redemptions: redemptionHandlers(deps),
      wallet: walletHandlers(deps),
      passwordReset: passwordResetHandlers(deps),
      contents: contentHandlers({ ...deps, uptime, checkUpdate }),
      data: dataHandlers({ ...deps, usage: stores.usage, houseCosts: stores.houseCosts }),
      pricing: pricingHandlers(deps),
      modelPrices: modelPriceHandlers(deps),
      priceBook: priceBookHandlers(deps),
      pricePreviews: pricePreviewHandlers(deps),
      statements: statementHandlers({ ...deps, options: () => routing().options }),
      usageLinks: usageLinkHandlers(deps),
      seals: sealHandlers(deps),
    },
    {
      identify: parts.identify,
      limits: createApiLimits(config, createDurableLimits(stores.counts, clock), parts.counted),
      humanCheck: parts.humanCheck,
      language: () => routing().options.DefaultLanguage,
      isDemoSite: () => routing().options.DemoSiteEnabled,
      clock,
      log,
    },
    site.version,
  );
  mountEpayNotice(app, parts.topUps.notified);
  return app;
};
