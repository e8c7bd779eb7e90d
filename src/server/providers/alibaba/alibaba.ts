import type { Fields } from '#core/json/fields.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { forLookAlikes, isOpenaiChat } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { budgetOf, field, type WriteThinking, switched } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';
import { drawImages, GENERATION_PATH, writeImages } from './alibaba-images.ts';
import { speak, writeSpeech } from './alibaba-speech.ts';
import { readTranscription, writeTranscription } from './alibaba-transcriptions.ts';

/** Source: help.aliyun.com/zh/model-studio/deep-thinking. */
const alibabaThinking: WriteThinking = (wanted) => ({
  ...field('enable_thinking', switched(wanted, true, false)),
  ...field('thinking_budget', budgetOf(wanted)),
});

/** Open models of Qwen 3 think by default, but refuse to think unless they stream. */
const withoutHiddenThoughts = (body: Fields, call: UpstreamCall): Fields =>
  isOpenaiChat(call) && !call.stream && body['enable_thinking'] === undefined && OPEN_QWEN.test(call.model)
    ? { ...body, enable_thinking: false }
    : body;
const OPEN_QWEN = /^qwen3-[\d.]+b(?:-a[\d.]+b)?$/;

const pictures = { path: GENERATION_PATH, write: writeImages, deliver: drawImages };

/** Source: help.aliyun.com/zh/model-studio, compatible modes of OpenAI (chat, Responses) and Anthropic; error-code. */
export const alibaba = openaiLayout({
  types: [17],
  takesTopK: true,
  prefix: '/compatible-mode/v1',
  thinking: alibabaThinking,
  offers: {
    chat: { write: (body, call) => withoutHiddenThoughts(forLookAlikes(body), call) },
    completions: {},
    embeddings: {},
    images: pictures,
    'image-edits': { ...pictures, formAsJson: true },
    speech: { path: GENERATION_PATH, write: writeSpeech, deliver: speak },
    transcriptions: {
      path: '/compatible-mode/v1/chat/completions',
      formAsJson: true,
      write: writeTranscription,
      read: readTranscription,
    },
    rerank: { path: '/compatible-api/v1/reranks' },
    models: {},
  },
  natives: { responses: '/compatible-mode/v1/responses', messages: '/apps/anthropic/v1/messages' },
  headers: ({ other }): Record<string, string> =>
    other.trim() === '' ? {} : { 'x-dashscope-plugin': other.trim() },
  errorPatterns: { billing: /\[Arrearage\]/i },
  // help.aliyun.com/zh/model-studio/models
  models:
    named(`qwen3.8-max qwen3.8-flash qwen3.7-max qwen3.7-plus qwen3.7-flash qwen3.6-plus qwen3.6-flash qwen3.5-plus
    qwen3.5-flash qwen3-max qwen-max qwen-plus qwen-flash qwen-turbo qwen3-coder-plus qwen3-coder-flash
    qwen3-vl-plus qwen-vl-max qwen-vl-plus qwen-vl-ocr qwen3-omni-flash qwq-plus qwen-mt-plus
    deepseek-v4-pro deepseek-v4.1-flash glm-5.2 glm-5.1 kimi-k3 kimi-k2.6
    text-embedding-v4 text-embedding-v3 qwen3-rerank gte-rerank-v2
    qwen-image-3.0-pro qwen-image-3.0 qwen-image-2.0-pro qwen-image-2.0 wan2.7-image`),
});
