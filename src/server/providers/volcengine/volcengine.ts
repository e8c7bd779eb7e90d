import type { UpstreamCall } from '../../dialects/upstream.ts';
import { withoutDeveloper } from '../shared/chat/adjust-chat.ts';
import { openaiChatWith } from '../shared/chat/openai-chat-with.ts';
import { openaiLayout, PATHS } from '../shared/description/openai-layout.ts';
import { field, inWords, type WriteThinking, switched, typed } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';
import { embedEach, writePictureEmbeddings } from './picture-embeddings.ts';

/** Source: www.volcengine.com/docs/82379, deep thinking. */
const volcengineThinking: WriteThinking = (wanted) => ({
  ...typed(switched(wanted, 'enabled', 'disabled')),
  ...field('reasoning_effort', wanted.effort === 'minimal' ? 'minimal' : inWords(wanted.effort)),
});

/** Whether a model also embeds images: such models have another path and format, for texts too. */
const embedsPictures = ({ model }: UpstreamCall): boolean => /embedding-vision/.test(model);

/** Whether the model is an application built there (model, search, knowledge base); it has its own path and offers only chats. */
const isBot = (model: string): boolean => model.startsWith('bot-');

const chat = openaiChatWith({ thinking: volcengineThinking });

/** Source: www.volcengine.com/docs/82379; 1526787, applications (bots). */
export const volcengine = openaiLayout({
  types: [45],
  prefix: '/api/v3',
  dialect: chat,
  dialectFor: (model) => (isBot(model) ? chat : undefined),
  offers: {
    chat: {
      path: ({ model }) => (isBot(model) ? '/api/v3/bots' : '/api/v3') + PATHS.chat,
      write: withoutDeveloper,
    },
    embeddings: {
      path: (call) => `/api/v3${PATHS.embeddings}${embedsPictures(call) ? '/multimodal' : ''}`,
      write: (body, call) => (embedsPictures(call) ? writePictureEmbeddings(body) : body),
      deliver: (request, _, tools) =>
        request.url.endsWith('/multimodal') ? embedEach(request, tools) : tools.send(request, tools.signal),
    },
    models: {},
    images: {},
  },
  natives: { responses: '/api/v3/responses' },
  errorPatterns: { billing: /\[AccountOverdueError\]/i },
  // www.volcengine.com/docs/82379/1330310
  models: named(`doubao-seed-2-0-pro-260215 doubao-seed-2-0-lite-260215 doubao-seed-2-0-mini-260215
    doubao-seed-2-0-code-preview-260215 doubao-seed-1-8-251228 doubao-seed-1-6-251015 doubao-seed-1-6-flash-250828
    doubao-seed-1-6-vision-250815 deepseek-v4-pro-ga-260813 deepseek-v4-flash-ga-260731 deepseek-v3-2-251201
    glm-4-7-251222 kimi-k2-5-260127 doubao-embedding-vision-250615 doubao-seedream-4-5-251128`),
});
