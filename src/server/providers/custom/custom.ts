import type { Channel } from '#core/channel/channel.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { withoutTopK } from '../shared/chat/openai-chat-with.ts';
import { provider } from '../shared/description/provider.ts';
import { dashboardBalance } from '../shared/account/read-balance.ts';
import { gatewayPrices } from '../shared/account/read-prices.ts';

/** The channel's address is that of its chat; the dashboard is at the same host. */
const origin = (channel: Channel): Channel => ({ ...channel, baseUrl: new URL(channel.baseUrl).origin });

/** Any server: the channel's address is the whole URL, and `{model}` in it is replaced by the model. */
export const custom = provider({
  types: [8],
  key: 'bearer',
  dialect: withoutTopK(openaiChat),
  url: (channel, call) => channel.baseUrl.replaceAll('{model}', () => encodeURIComponent(call.model)),
  offers: { chat: {}, completions: {}, embeddings: {} },
  prices: { ...gatewayPrices, requests: (channel) => gatewayPrices.requests(origin(channel)) },
  balance: {
    requests: (channel, nowMs) => dashboardBalance.requests(origin(channel), nowMs),
    read: dashboardBalance.read,
  },
});
