import { withoutDeveloper } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { minimaxThinking } from '../thinking.ts';
import { IMAGES_PATH, isOwnImages, readImages, refuseEdits, writeImages } from './minimax-images.ts';
import { SPEECH_PATH, speak, writeSpeech } from './minimax-speech.ts';

const layout = openaiLayout({
  prefix: '/v1',
  thinking: minimaxThinking,
  operations: ['chat', 'images', 'image-edits', 'speech', 'models'],
  formsAsJson: ['image-edits'],
  adjust: (body, call) => {
    if (call.operation === 'speech') return writeSpeech(body);
    if (isOwnImages(call)) return writeImages(body);
    if (call.operation === 'image-edits') throw refuseEdits(call.model);
    return withoutDeveloper(body);
  },
  natives: { responses: '/v1/responses', messages: '/anthropic/v1/messages' },
  elsewhere: { speech: SPEECH_PATH, 'image-edits': IMAGES_PATH },
});

/** Source: platform.minimaxi.com/docs/api-reference: text-openai-api, responses-create, text-anthropic-api, image-generation-h3. */
export const minimax: Provider = {
  ...layout,
  address: (channel, call) =>
    layout.address(channel, isOwnImages(call) ? { ...call, operation: 'image-edits' } : call),
  readReply: (body, call) => (isOwnImages(call) ? readImages(body) : body),
  deliver: (request, _, tools) =>
    request.url.endsWith(SPEECH_PATH) ? speak(request, tools) : tools.send(request, tools.signal),
};
