import type { ContentPart, Message } from '#core/chat/request.ts';
import { fieldsOf, type Fields } from '../openai/fields.ts';
import { readFreeText } from '../openai/free-text.ts';
import { writeContent } from './write-parts.ts';

type Part<Type extends ContentPart['type']> = Extract<ContentPart, { type: Type }>;

/** Writes each of these messages as items: every result, call, thought and piece of talk is one of its own. */
export const itemWriter = (messages: readonly Message[]): ((message: Message) => Fields[]) => {
  const freeTextCalls = new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-call' && part.isFreeText === true ? [part.id] : [])),
    ),
  );
  return (message) => writeItems(message, freeTextCalls);
};

const writeItems = (message: Message, freeTextCalls: ReadonlySet<string>): Fields[] => {
  const results = message.content.flatMap((part) =>
    part.type === 'tool-result' ? [writeOutput(part, freeTextCalls.has(part.callId))] : [],
  );
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
