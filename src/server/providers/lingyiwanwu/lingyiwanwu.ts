import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';

/** The models of 01.AI, in OpenAI's format. */
export const lingyiwanwu = openaiLayout({
  types: [31],
  prefix: '/v1',
  offers: { chat: { write: forLookAlikes }, completions: {}, models: {} },
  // platform.lingyiwanwu.com/docs
  models: named('yi-lightning yi-vision-v2'),
});
