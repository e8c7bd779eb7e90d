import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';

/** A knowledge base in front of a model; the whole `APIKey-AppId` is sent as its key. Source: doc.fastgpt.in, OpenAPI chat. */
export const fastgpt = openaiLayout({
  types: [22],
  prefix: '/v1',
  offers: { chat: { write: forLookAlikes } },
  // Its own error codes have the status 500.
  errorPatterns: { key: /\[514\]/ },
});
