import { fieldsOf, isFields, listOf, textOf, type Fields } from '../dialects/openai/fields.ts';

/**
 * What an assistant thought in earlier turns stands in `reasoning_content` where callers and our own writer put it.
 * Providers differ in whether they read it there, elsewhere, or refuse it.
 */

/** The same body where no message changes. */
const withMessages = (body: Fields, change: (message: Fields) => Fields): Fields => {
  const messages = listOf(body['messages']);
  const changed = messages.map((message) =>
    isFields(message) && message['role'] === 'assistant' ? change(message) : message,
  );
  return changed.some((message, at) => message !== messages[at]) ? { ...body, messages: changed } : body;
};

/** For those that refuse `reasoning_content` and take `reasoning` (Groq, Cerebras). */
export const thoughtsAsReasoning = (body: Fields): Fields =>
  withMessages(body, (message) => {
    if (message['reasoning_content'] === undefined && message['reasoning_details'] === undefined)
      return message;
    const { reasoning_content: text, reasoning_details: _, ...rest } = message;
    const reasoning = rest['reasoning'] ?? text;
    return textOf(reasoning) === undefined ? rest : { ...rest, reasoning };
  });

/** For those whose thoughts are parts of the content (docs.mistral.ai, reasoning). */
export const thoughtsAsParts = (body: Fields): Fields =>
  withMessages(body, (message) => {
    if (message['reasoning_content'] === undefined && message['reasoning_details'] === undefined)
      return message;
    const { reasoning_content: text, reasoning_details: _, content, ...rest } = message;
    if (textOf(text) === undefined) return { ...rest, content };
    const said = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    const thought = { type: 'thinking', thinking: [{ type: 'text', text }], closed: true };
    return { ...rest, content: [thought, ...said.filter((part) => fieldsOf(part)['text'] !== '')] };
  });

/**
 * For those that refuse calls of tools without the thought that led to them, which a chat begun elsewhere does not have:
 * it is told to be `filler`.
 */
export const withThoughtsAtCalls = (body: Fields, filler: string): Fields =>
  withMessages(body, (message) =>
    listOf(message['tool_calls']).length === 0 || typeof message['reasoning_content'] === 'string'
      ? message
      : { ...message, reasoning_content: filler },
  );
