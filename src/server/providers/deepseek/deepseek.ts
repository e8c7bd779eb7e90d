import { z } from 'zod';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { forLookAlikes, isOpenaiChat } from '../shared/chat/adjust-chat.ts';
import { withReasoningAtToolCalls } from '../shared/chat/earlier-reasoning.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { amount, balanceCall, parseBalance } from '../shared/account/read-balance.ts';
import { field, inThree, type WriteThinking, switched, typed } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';

/** Source: api-docs.deepseek.com/guides/thinking_mode. */
const deepseekThinking: WriteThinking = (wanted) => ({
  ...typed(switched(wanted, 'enabled', 'disabled')),
  ...field('reasoning_effort', inThree(wanted.effort)),
});

const account = z.object({
  balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })).min(1),
});

/** Source: api-docs.deepseek.com; quick_start/error_codes. */
export const deepseek = openaiLayout({
  types: [43],
  prefix: '/v1',
  thinking: deepseekThinking,
  schemasInWords: true,
  offers: {
    chat: {
      // Thinking is on by default, and then DeepSeek refuses tool calls without their reasoning.
      write: (body, call) =>
        isOpenaiChat(call) ? withReasoningAtToolCalls(forLookAlikes(body), '') : forLookAlikes(body),
    },
    // Legacy completions have a beta path without a version.
    completions: { path: '/beta/completions' },
    models: {},
  },
  natives: { responses: '/responses', messages: '/anthropic/v1/messages' },
  errorPatterns: PAYMENT_REQUIRED,
  /** `GET /user/balance`: one entry per currency. */
  balance: {
    requests: (channel) => [balanceCall(channel, '/user/balance')],
    read: ([body], yuanPerUsd) =>
      parseBalance(account, body).balance_infos.reduce(
        (sum, info) => sum + (info.currency === 'CNY' ? info.total_balance / yuanPerUsd : info.total_balance),
        0,
      ),
  },
  // api-docs.deepseek.com: the v4 names are still accepted and answered by deepseek-flash
  models: named('deepseek-flash deepseek-v4-pro deepseek-v4-flash'),
});
