import { fieldsOf, isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';

/**
 * Callers and our own writer put the reasoning of earlier turns into `reasoning_content`. Some providers read it there,
 * some in another field, and some refuse it.
 */

/** Changes each assistant message; returns the same body where none changed. */
const withMessages = (body: Fields, change: (message: Fields) => Fields): Fields => {
  const messages = listOf(body['messages']);
  const changed = messages.map((message) =>
    isFields(message) && message['role'] === 'assistant' ? change(message) : message,
  );
  return changed.some((message, at) => message !== messages[at]) ? { ...body, messages: changed } : body;
};

/** For providers that refuse `reasoning_content` and accept `reasoning` (Groq, Cerebras). */
export const reasoningInOwnField = (body: Fields): Fields =>
  withMessages(body, (message) => {
    if (message['reasoning_content'] === undefined && message['reasoning_details'] === undefined)
      return message;
    const { reasoning_content: text, reasoning_details: _, ...rest } = message;
    const reasoning = rest['reasoning'] ?? text;
    return textOf(reasoning) === undefined ? rest : { ...rest, reasoning };
  });

/** For providers that refuse reasoning in every field. */
export const withoutReasoning = (body: Fields): Fields =>
  withMessages(body, (message) => {
    if (FIELDS.every((name) => message[name] === undefined)) return message;
    const { reasoning_content: _, reasoning_details: _d, reasoning: _r, ...rest } = message;
    return rest;
  });

const FIELDS = ['reasoning_content', 'reasoning_details', 'reasoning'];

/** For providers whose reasoning is a part of the content (docs.mistral.ai, reasoning). */
export const reasoningAsParts = (body: Fields): Fields =>
  withMessages(body, (message) => {
    if (message['reasoning_content'] === undefined && message['reasoning_details'] === undefined)
      return message;
    const { reasoning_content: text, reasoning_details: _, content, ...rest } = message;
    if (textOf(text) === undefined) return { ...rest, content };
    const visible = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    const reasoning = { type: 'thinking', thinking: [{ type: 'text', text }], closed: true };
    return { ...rest, content: [reasoning, ...visible.filter((part) => fieldsOf(part)['text'] !== '')] };
  });

/**
 * For providers that refuse tool calls without the reasoning before them. A chat that began at another provider has none,
 * so `filler` is sent.
 */
export const withReasoningAtToolCalls = (body: Fields, filler: string): Fields =>
  withMessages(body, (message) =>
    listOf(message['tool_calls']).length === 0 || typeof message['reasoning_content'] === 'string'
      ? message
      : { ...message, reasoning_content: filler },
  );
