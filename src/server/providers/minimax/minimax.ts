import { withoutDeveloper } from '../shared/chat/adjust-chat.ts';
import { openaiLayout, PATHS } from '../shared/description/openai-layout.ts';
import { type WriteThinking, switched, typed } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';
import { drawsInOwnForm, IMAGES_PATH, readImages, refuseEdits, writeImages } from './minimax-images.ts';
import { speak, writeSpeech } from './minimax-speech.ts';

/** Without the split, reasoning would be in the text between tags (platform.minimaxi.com/docs, OpenAI API). */
const minimaxThinking: WriteThinking = (wanted) => ({
  reasoning_split: true,
  ...typed(switched(wanted, 'adaptive', 'disabled')),
});

/** Source: platform.minimaxi.com/docs/api-reference: text-openai-api, responses-create, text-anthropic-api, image-generation-h3. */
export const minimax = openaiLayout({
  types: [35],
  prefix: '/v1',
  thinking: minimaxThinking,
  offers: {
    chat: { write: withoutDeveloper },
    images: {
      path: (call) => (drawsInOwnForm(call) ? IMAGES_PATH : `/v1${PATHS.images}`),
      write: (body, call) => (drawsInOwnForm(call) ? writeImages(body) : body),
      read: (body, call) => (drawsInOwnForm(call) ? readImages(body) : body),
    },
    'image-edits': {
      path: IMAGES_PATH,
      formAsJson: true,
      write: (body, call) => {
        if (!drawsInOwnForm(call)) throw refuseEdits(call.model);
        return writeImages(body);
      },
      read: readImages,
    },
    speech: { path: '/v1/t2a_v2', write: writeSpeech, deliver: speak },
    models: {},
  },
  natives: { responses: '/v1/responses', messages: '/anthropic/v1/messages' },
  // platform.minimax.io/docs/api-reference/errorcode: its numbers are also in the messages of errors with other statuses.
  errorPatterns: {
    key: /\[authorized_error\]|\((?:1004|2049)\)/,
    billing: /\[insufficient_balance_error\]|\(1008\)/,
    rateLimit: /\((?:1002|1039|1041|2056)\)/,
    request: /\((?:1026|1027|2013)\)/,
  },
  // platform.minimaxi.com/docs/guides/models-intro
  models:
    named(`MiniMax-M3 MiniMax-M2.7 MiniMax-M2.7-highspeed MiniMax-M2.5 MiniMax-M2.5-highspeed MiniMax-M2.1
    MiniMax-M2.1-highspeed MiniMax-M2 M2-her MiniMax-H3-Image MiniMax-H3-Image-Highspeed speech-2.8-hd
    speech-2.8-turbo speech-2.6-hd speech-2.6-turbo`),
});
