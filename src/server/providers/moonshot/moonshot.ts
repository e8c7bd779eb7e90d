import { z } from 'zod';
import { isOpenaiChat, withoutDeveloper } from '../shared/chat/adjust-chat.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { withReasoningAtToolCalls } from '../shared/chat/earlier-reasoning.ts';
import { openaiChatWith } from '../shared/chat/openai-chat-with.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { amount, balanceCall, parseBalance } from '../shared/account/read-balance.ts';
import { field, inThree, type WriteThinking, switched, typed } from '../shared/chat/thinking.ts';

const FIXED_SAMPLING = /k2\.[5-9]|k[3-9]/;

/** K2.5 and K2.6 can switch thinking off, K3 takes an effort, others take neither (platform.kimi.com/docs). */
const moonshotThinking: WriteThinking = (wanted, model) => {
  if (/k2\.[56]/i.test(model)) return typed(switched(wanted, 'enabled', 'disabled'));
  return /k[3-9]/i.test(model) ? field('reasoning_effort', inThree(wanted.effort)) : {};
};

const chat = openaiChatWith({ thinking: moonshotThinking });

const account = z.object({ data: z.object({ available_balance: amount }) });

/**
 * Source: platform.moonshot.cn/docs. Newer models refuse every temperature but their default, so the temperature of callers
 * of other formats is dropped.
 */
export const moonshot = openaiLayout({
  types: [25],
  prefix: '/v1',
  dialect: {
    ...chat,
    writeRequest: (request) => {
      if (!FIXED_SAMPLING.test(request.model)) return chat.writeRequest(request);
      const { temperature: _, topP: _p, presencePenalty: _q, frequencyPenalty: _f, ...rest } = request;
      return chat.writeRequest(rest);
    },
  },
  offers: {
    chat: {
      // Since K2 the models think and refuse tool calls without reasoning; empty reasoning counts as missing.
      write: (body, call) =>
        isOpenaiChat(call) && /thinking|k2\.[5-9]|k[3-9]/.test(call.model)
          ? withReasoningAtToolCalls(withoutDeveloper(body), ' ')
          : withoutDeveloper(body),
    },
    models: {},
  },
  natives: { messages: '/anthropic/v1/messages' },
  // An empty balance has the status 429.
  errorPatterns: { billing: /\[exceeded_current_quota_error\]/ },
  /** `GET /v1/users/me/balance`: in yuan, or in dollars at its international address. */
  balance: {
    requests: (channel) => [balanceCall(channel, '/v1/users/me/balance')],
    read: ([body], yuanPerUsd, channel) => {
      const { available_balance: available } = parseBalance(account, body).data;
      return new URL(baseUrlOf(channel)).hostname.endsWith('.ai') ? available : available / yuanPerUsd;
    },
  },
});
