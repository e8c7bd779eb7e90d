import type { Egress } from '../../../dialects/dialect.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { schemasInWords, withJsonMentioned } from './json-answers.ts';
import { chatThinking, type WriteThinking } from './thinking.ts';

/** How a provider's chat differs from OpenAI's. It concerns callers of other formats: those of this one write it themselves. */
export interface ChatDifferences {
  /** It accepts `top_k`. OpenAI's format has no such field and other providers refuse it, so it is dropped by default. */
  readonly takesTopK?: true;
  /** It answers in JSON but takes no JSON Schema: the schema is described in the prompt. */
  readonly schemasInWords?: true;
  /** The fields that control its thinking, where they are not OpenAI's. */
  readonly thinking?: WriteThinking;
}

/** OpenAI's chat format with a provider's differences. */
export const openaiChatWith = ({ thinking, takesTopK, schemasInWords: inWords }: ChatDifferences): Egress => {
  const chat = thinking === undefined ? openaiChat : chatThinking(thinking);
  const withJson = inWords === true ? schemasInWords(chat) : withJsonMentioned(chat);
  return takesTopK === true ? withJson : withoutTopK(withJson);
};

/** The format for providers that refuse `top_k`: it is left out. */
export const withoutTopK = (chat: Egress): Egress => ({
  ...chat,
  writeRequest: (request) => {
    const { topK: _, ...rest } = request;
    return chat.writeRequest(rest);
  },
});
