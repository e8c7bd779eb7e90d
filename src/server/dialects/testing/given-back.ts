import type { DialectName } from '#core/chat/request.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';

/** What a caller of a format sends back one turn later: the answer (a whole reply) as it was given. */
export const givenBack = (name: DialectName, given: Fields): Fields => {
  switch (name) {
    case 'openai-chat':
      return { messages: [fieldsOf(fieldsOf(listOf(given['choices'])[0])['message'])] };
    case 'openai-responses':
      return { input: given['output'], store: false };
    case 'anthropic-messages':
      return { max_tokens: 9, messages: [{ role: 'assistant', content: given['content'] }] };
    case 'gemini':
      return { contents: [fieldsOf(listOf(given['candidates'])[0])['content']] };
  }
};
