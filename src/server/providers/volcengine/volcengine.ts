import { withoutDeveloper } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Addressed, Provider } from '../provider.ts';
import { volcengineThinking } from '../thinking.ts';
import { embedEach, writePictureEmbeddings } from './picture-embeddings.ts';

const plain = openaiLayout({
  prefix: '/api/v3',
  thinking: volcengineThinking,
  operations: ['chat', 'embeddings', 'models', 'images'],
  adjust: withoutDeveloper,
  natives: { responses: '/api/v3/responses' },
});

const PICTURES_TOO = '/embeddings/multimodal';

/** Models that embed pictures have a path and a form of their own, for texts as well. */
const embedsPictures = ({ operation, model }: Addressed): boolean =>
  operation === 'embeddings' && /embedding-vision/.test(model);

/** What was put together there out of a model, searches and a knowledge base has a path of its own, and speaks chats alone. */
const isBot = (model: string): boolean => model.startsWith('bot-');

const CHATS = /\/chat\/completions$/;

/** Source: www.volcengine.com/docs/82379; 1526787, applications (bots). */
export const volcengine: Provider = {
  ...plain,
  dialectFor: (model) => (isBot(model) ? plain.dialect : undefined),
  address: (channel, call) => {
    const { url, headers } = plain.address(channel, call);
    if (isBot(call.model)) return { url: url.replace(CHATS, '/bots/chat/completions'), headers };
    return { url: embedsPictures(call) ? url.replace(/\/embeddings$/, PICTURES_TOO) : url, headers };
  },
  adjust: (body, call, channel) =>
    embedsPictures(call) ? writePictureEmbeddings(body) : (plain.adjust?.(body, call, channel) ?? body),
  deliver: (request, _, tools) =>
    request.url.endsWith(PICTURES_TOO) ? embedEach(request, tools) : tools.send(request, tools.signal),
};
