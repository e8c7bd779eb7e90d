import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { wordsAndNone } from '../shared/chat/thinking.ts';
import { named } from '../shared/description/model-lists.ts';

/** Source: docs.ollama.com, OpenAI and Anthropic compatibility. */
export const ollama = openaiLayout({
  types: [4],
  prefix: '/v1',
  thinking: wordsAndNone,
  offers: {
    chat: { write: forLookAlikes },
    completions: {},
    embeddings: {},
    speech: {},
    transcriptions: {},
    models: {},
  },
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
  // ollama.com/search
  models:
    named(`gpt-oss:20b gpt-oss:120b qwen3 qwen3.5 qwen3-coder gemma3 gemma4 llama3.3 deepseek-r1 mistral-small3.2
    nomic-embed-text embeddinggemma qwen3-embedding`),
});
