import { openaiLayout, openaiOffers } from '../shared/description/openai-layout.ts';
import { dashboardBalance } from '../shared/account/read-balance.ts';
import { gatewayPrices } from '../shared/account/read-prices.ts';

/** Another gateway like this one, with the same paths. */
export const gateway = openaiLayout({
  types: [108],
  takesTopK: true,
  prefix: '/v1',
  offers: { chat: {}, ...openaiOffers, rerank: {}, models: {} },
  natives: { responses: '/v1/responses', messages: '/v1/messages', gemini: '/v1beta/models' },
  // For the channel's own account they use the code for a caller without quota.
  errorPatterns: { billing: /\[(?:insufficient_user_quota|pre_consume_token_quota_failed)\]/ },
  prices: gatewayPrices,
  balance: dashboardBalance,
});
