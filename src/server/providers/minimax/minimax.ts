import { withoutDeveloper } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { minimaxThinking } from '../thinking.ts';
import { SPEECH_PATH, speak, writeSpeech } from './minimax-speech.ts';

/** Source: platform.minimaxi.com/docs/api-reference: text-openai-api, responses-create, text-anthropic-api, image-generation-h3. */
export const minimax: Provider = {
  ...openaiLayout({
    prefix: '/v1',
    thinking: minimaxThinking,
    operations: ['chat', 'images', 'speech', 'models'],
    adjust: (body, call) => (call.operation === 'speech' ? writeSpeech(body) : withoutDeveloper(body)),
    natives: { responses: '/v1/responses', messages: '/anthropic/v1/messages' },
    elsewhere: { speech: SPEECH_PATH },
  }),
  deliver: (request, _, tools) =>
    request.url.endsWith(SPEECH_PATH) ? speak(request, tools) : tools.send(request, tools.signal),
};
