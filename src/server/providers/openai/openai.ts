import { type Fields, fieldsOf } from '#core/json/fields.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { forOpenaiModels } from '../shared/chat/adjust-chat.ts';
import { openaiLayout, openaiOffers } from '../shared/description/openai-layout.ts';
import { betterAtOpenai, chatAtOpenai } from '../shared/models/openai-models.ts';
import { dashboardBalance } from '../shared/account/read-balance.ts';
import { gpt } from '../shared/description/model-lists.ts';
import { gatewayPrices } from '../shared/account/read-prices.ts';

/** Names of reasoning models with an effort as suffix: `o3-mini-high`, `gpt-5-minimal`. */
const SUFFIXED = /^((?:o\d|gpt-[5-9]|grok-3-mini).*)-(none|minimal|low|medium|high|xhigh|max)$/;

/** Moves the effort from the model's name into the field of the format, unless the caller set that field. */
const readEffortSuffix = (body: Fields, call: UpstreamCall): Fields => {
  const [, model, effort] = SUFFIXED.exec(call.model) ?? [];
  if (model === undefined) return body;
  if (call.dialect === 'openai-responses')
    return { ...body, model, reasoning: { effort, ...fieldsOf(body['reasoning']) } };
  return { ...body, model, reasoning_effort: body['reasoning_effort'] ?? effort };
};

/** OpenAI, and any server with the same paths. */
export const openai = openaiLayout({
  types: [1],
  prefix: '/v1',
  dialect: chatAtOpenai,
  betterFor: betterAtOpenai,
  offers: {
    chat: { write: (body, call) => forOpenaiModels(readEffortSuffix(body, call), call) },
    ...openaiOffers,
    // OpenAI has no rerank, but other servers with its paths often do.
    rerank: {},
    models: {},
  },
  headers: ({ organization }): Record<string, string> =>
    organization === '' ? {} : { 'openai-organization': organization },
  natives: { responses: '/v1/responses' },
  prices: gatewayPrices,
  balance: dashboardBalance,
  // developers.openai.com/api/docs/models and /deprecations
  models: gpt,
});
