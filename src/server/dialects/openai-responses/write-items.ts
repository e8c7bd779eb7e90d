import type { ContentPart, Message } from '#core/chat/request.ts';
import { fieldsOf, type Fields, wordOf } from '#core/json/fields.ts';
import { readFreeText } from '../openai/free-text.ts';
import { writeContent } from './write-parts.ts';

type Part<Type extends ContentPart['type']> = Extract<ContentPart, { type: Type }>;

/** Writes messages as items: tool results, tool calls, reasoning and text are items of their own. */
export const itemWriter = (messages: readonly Message[]): ((message: Message) => Fields[]) => {
  const freeTextCalls = new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-call' && part.isFreeText === true ? [part.id] : [])),
    ),
  );
  return (message) => writeItems(message, freeTextCalls);
};

/** Drops reasoning that no output follows: OpenAI refuses it without its following item. */
export const withFollowingItem = (items: readonly Fields[]): readonly Fields[] =>
  items.filter((item, at) => {
    if (item['type'] !== 'reasoning') return true;
    const next = items.slice(at + 1).find(({ type }) => type !== 'reasoning');
    return next !== undefined && isOfAssistant(next);
  });

const isOfAssistant = ({ role, type }: Fields): boolean =>
  role === undefined ? !wordOf(type).endsWith('_output') : role === 'assistant';

const writeItems = (message: Message, freeTextCalls: ReadonlySet<string>): Fields[] => {
  const results = message.content.flatMap((part) =>
    part.type === 'tool-result' ? [writeOutput(part, freeTextCalls.has(part.callId))] : [],
  );
  if (message.role === 'assistant') return [...results, ...writeAssistant(message.content)];
  const rest = message.content.filter((part) => part.type !== 'tool-result');
  if (rest.length === 0 && results.length > 0) return results;
  const role = message.role === 'tool' ? 'user' : message.role;
  return [...results, { ...message.extras?.['openai-responses'], role, content: writeContent(rest, role) }];
};

/** Writes the reasoning, text and tool calls of one assistant message, in order. */
const writeAssistant = (parts: readonly ContentPart[]): Fields[] => {
  const items: Fields[] = [];
  let open: ContentPart[] = [];
  const closeMessage = (): void => {
    const [first] = open;
    if (first !== undefined) items.push(...writeMessage(first, open));
    open = [];
  };
  for (const part of parts) {
    const own = part.extras?.['openai-responses'] ?? {};
    if (part.type === 'tool-result') continue;
    if (part.type === 'reasoning' || part.type === 'tool-call') {
      closeMessage();
      items.push(...(part.type === 'reasoning' ? writeReasoning(part) : [writeCall(part)]));
      continue;
    }
    if (part.type === 'image' && own['item'] === undefined) {
      // An image by a model of another format: here only user messages may hold one.
      closeMessage();
      items.push({ role: 'user', content: writeContent([part], 'user') });
      continue;
    }
    if (own['item'] !== undefined) closeMessage();
    open.push(part);
  }
  closeMessage();
  return items;
};

const writeMessage = (first: ContentPart, parts: readonly ContentPart[]): Fields[] => {
  const item = fieldsOf(first.extras?.['openai-responses']?.['item']);
  // An unknown item was kept whole.
  if (item['type'] !== undefined && item['type'] !== 'message') return [item];
  const content = writeContent(parts, 'assistant');
  if (content.length === 0) return [];
  // An item with an id is the upstream's own; its content is always a list.
  const list =
    typeof content === 'string' && item['id'] !== undefined
      ? [{ type: 'output_text', text: content }]
      : content;
  return [{ ...item, role: 'assistant', content: list }];
};

/** Writes reasoning only for upstreams of the format that it came from. */
const writeReasoning = (part: Part<'reasoning'>): Fields[] => {
  const own = part.extras?.['openai-responses'];
  const isOwn = part.signature !== undefined && part.signatureFrom === 'openai-responses';
  if (own === undefined && !isOwn) return [];
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
  return [
    {
      ...(own ?? { summary }),
      type: 'reasoning',
      ...(isOwn && { encrypted_content: part.signature }),
    },
  ];
};

const writeCall = (part: Part<'tool-call'>): Fields => {
  const call = { ...part.extras?.['openai-responses'], call_id: part.id, name: part.name };
  if (part.isFreeText === true)
    return { ...call, type: 'custom_tool_call', input: readFreeText(part.argumentsText) };
  return { ...call, type: 'function_call', arguments: part.argumentsText };
};

const writeOutput = (part: Part<'tool-result'>, isOfFreeText: boolean): Fields => ({
  type: isOfFreeText ? 'custom_tool_call_output' : 'function_call_output',
  ...part.extras?.['openai-responses'],
  call_id: part.callId,
  output: writeContent(part.content, 'tool'),
});
