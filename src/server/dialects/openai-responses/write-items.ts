import type { ContentPart, Message } from '#core/chat/request.ts';
import { fieldsOf, type Fields } from '../openai/fields.ts';
import { readFreeText } from './free-text.ts';
import { writeContent } from './write-parts.ts';

type Part<Type extends ContentPart['type']> = Extract<ContentPart, { type: Type }>;

/** A message as the items of a conversation: every result, call, thought and piece of talk is one of its own. */
export const writeItems = (message: Message): Fields[] => {
  const results = message.content.filter((part) => part.type === 'tool-result').map(writeOutput);
  if (message.role === 'assistant') return [...results, ...writeSpoken(message.content)];
  const rest = message.content.filter((part) => part.type !== 'tool-result');
  if (rest.length === 0 && results.length > 0) return results;
  const role = message.role === 'tool' ? 'user' : message.role;
  return [...results, { ...message.extras?.['openai-responses'], role, content: writeContent(rest, role) }];
};

/** What one assistant message thought, said and called, in its order. */
const writeSpoken = (parts: readonly ContentPart[]): Fields[] => {
  const items: Fields[] = [];
  let said: ContentPart[] = [];
  const closeSaid = (): void => {
    const [first] = said;
    if (first !== undefined) items.push(...writeSaid(first, said));
    said = [];
  };
  for (const part of parts) {
    const own = part.extras?.['openai-responses'] ?? {};
    if (part.type === 'tool-result') continue;
    if (part.type === 'reasoning' || part.type === 'tool-call') {
      closeSaid();
      items.push(...(part.type === 'reasoning' ? writeThought(part) : [writeCall(part)]));
      continue;
    }
    if (part.type === 'image' && own['item'] === undefined) {
      // A picture drawn by a model of another format: an assistant cannot show one here, so the user does.
      closeSaid();
      items.push({ role: 'user', content: writeContent([part], 'user') });
      continue;
    }
    if (own['item'] !== undefined) closeSaid();
    said.push(part);
  }
  closeSaid();
  return items;
};

const writeSaid = (first: ContentPart, said: readonly ContentPart[]): Fields[] => {
  const item = fieldsOf(first.extras?.['openai-responses']?.['item']);
  // An item we have no word for is kept whole.
  if (item['type'] !== undefined && item['type'] !== 'message') return [item];
  const content = writeContent(said, 'assistant');
  if (content.length === 0) return [];
  // An item with an id is the upstream's own, whose content is always a list.
  const list =
    typeof content === 'string' && item['id'] !== undefined
      ? [{ type: 'output_text', text: content }]
      : content;
  return [{ ...item, role: 'assistant', content: list }];
};

/** A thought goes back to an upstream of the format it came from, and to no other. */
const writeThought = (part: Part<'reasoning'>): Fields[] => {
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
  const { type, ...others } = part.extras?.['openai-responses'] ?? {};
  const call = { ...others, call_id: part.id, name: part.name };
  if (type === 'custom_tool_call') return { ...call, type, input: readFreeText(part.argumentsText) };
  return { ...call, type: 'function_call', arguments: part.argumentsText };
};

const writeOutput = (part: Part<'tool-result'>): Fields => ({
  type: 'function_call_output',
  ...part.extras?.['openai-responses'],
  call_id: part.callId,
  output: writeContent(part.content, 'tool'),
});
