import type { Fields } from '../../dialects/openai/fields.ts';
import { adjustForLookAlikes, isChat } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Addressed, Provider } from '../provider.ts';
import { alibabaThinking } from '../thinking.ts';
import { drawImages, IMAGES_PATH, writeImages } from './alibaba-images.ts';
import { readTranscription, writeTranscription } from './alibaba-transcriptions.ts';
import { isSpeech, speak, writeSpeech } from './alibaba-speech.ts';

/** Open models of the third Qwen think unless told otherwise, and only where they stream. */
const withoutHiddenThoughts = (body: Fields, call: Addressed): Fields =>
  isChat(call) && !call.stream && body['enable_thinking'] === undefined && OPEN_QWEN.test(call.model)
    ? { ...body, enable_thinking: false }
    : body;
const OPEN_QWEN = /^qwen3-[\d.]+b(?:-a[\d.]+b)?$/;

/** Source: help.aliyun.com/zh/model-studio, compatible modes of OpenAI (chat, Responses) and Anthropic. */
export const alibaba: Provider = {
  ...openaiLayout({
    takesTopK: true,
    prefix: '/compatible-mode/v1',
    thinking: alibabaThinking,
    operations: [
      'chat',
      'completions',
      'embeddings',
      'images',
      'image-edits',
      'speech',
      'transcriptions',
      'rerank',
      'models',
    ],
    formsAsJson: ['image-edits', 'transcriptions'],
    adjust: (body, call) => {
      if (call.operation === 'images' || call.operation === 'image-edits') return writeImages(body);
      if (call.operation === 'speech') return writeSpeech(body);
      if (call.operation === 'transcriptions') return writeTranscription(body);
      return withoutHiddenThoughts(adjustForLookAlikes(body, call), call);
    },
    natives: { responses: '/compatible-mode/v1/responses', messages: '/apps/anthropic/v1/messages' },
    elsewhere: {
      rerank: '/compatible-api/v1/reranks',
      images: IMAGES_PATH,
      'image-edits': IMAGES_PATH,
      speech: IMAGES_PATH,
      transcriptions: '/compatible-mode/v1/chat/completions',
    },
    headers: ({ other }): Record<string, string> =>
      other.trim() === '' ? {} : { 'x-dashscope-plugin': other.trim() },
  }),
  readReply: (body, call) => (call.operation === 'transcriptions' ? readTranscription(body) : body),
  deliver: (request, _, tools) => {
    if (!request.url.endsWith(IMAGES_PATH)) return tools.send(request, tools.signal);
    return isSpeech(request) ? speak(request, tools) : drawImages(request, tools);
  },
};
