import type { Channel } from '#core/channel/channel.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { withoutTopK } from '../shared/chat/openai-chat-with.ts';
import { provider } from '../shared/description/provider.ts';
import { dashboardBalance } from '../shared/account/read-balance.ts';
import { gatewayPrices } from '../shared/account/read-prices.ts';

/** What an address of chats ends with where it is one of OpenAI's paths. */
const OF_CALLS = /(?:\/v\d+)?\/(?:chat\/completions|completions|embeddings)$/;

/** The channel's address is that of its chat; the dashboard stands beside it, or at the same host. */
const account = (channel: Channel): Channel => {
  const { origin, pathname } = new URL(channel.baseUrl);
  return { ...channel, baseUrl: origin + (OF_CALLS.test(pathname) ? pathname.replace(OF_CALLS, '') : '') };
};

/** Any server: the channel's address is the whole URL, and `{model}` in it is replaced by the model. */
export const custom = provider({
  types: [8],
  key: 'bearer',
  dialect: withoutTopK(openaiChat),
  url: (channel, call) => channel.baseUrl.replaceAll('{model}', () => encodeURIComponent(call.model)),
  offers: { chat: {}, completions: {}, embeddings: {} },
  prices: { ...gatewayPrices, requests: (channel) => gatewayPrices.requests(account(channel)) },
  balance: {
    requests: (channel, nowMs) => dashboardBalance.requests(account(channel), nowMs),
    read: dashboardBalance.read,
  },
});
