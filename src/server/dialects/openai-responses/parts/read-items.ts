import type { ContentPart, Message, OnlyIn } from '#core/chat/request.ts';
import { fieldsOf, listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { listedFields } from '../../listed-parts.ts';
import { readArguments } from '../../call-arguments.ts';
import { ownExtras, readContent } from './read-parts.ts';
import { type Sealed, readSealed } from './sealed.ts';

type Role = Exclude<Message['role'], 'tool'>;

const ROLES: ReadonlySet<unknown> = new Set<Role>(['system', 'developer', 'user', 'assistant']);
/** Calls of the upstream's own search tools; their results are in the text that follows. */
const SEARCHES: ReadonlySet<unknown> = new Set(['web_search_call', 'file_search_call']);

/** Some clients refer to earlier items by id, unless responses are not stored. */
const UNKNOWN_REFERENCE =
  'an item is named that only an upstream which keeps responses knows, and this one does not: send items whole (store: false)';

export interface ReadItems {
  readonly messages: readonly Message[];
  readonly onlyIn: readonly OnlyIn[] | undefined;
}

/**
 * Reads items as messages. Consecutive reasoning, text and tool calls of the assistant become one message, as in every
 * other format; the extras of a part mark where an item began.
 */
export const readItems = (input: unknown): ReadItems => {
  if (typeof input === 'string')
    return { messages: [{ role: 'user', content: readContent(input, 'input') }], onlyIn: undefined };
  const reader = new ItemReader();
  for (const [index, item] of listedFields(input, 'input').entries()) reader.read(item, index);
  return reader;
};

class ItemReader implements ReadItems {
  readonly messages: Message[] = [];
  onlyIn: readonly OnlyIn[] | undefined;
  /** The parts of the assistant message that is being read. */
  #parts: ContentPart[] | undefined;
  /** A signature that belongs to the next tool call. */
  #callSignature: Sealed | undefined;

  read(item: Fields, index: number): void {
    switch (item['type'] ?? 'message') {
      case 'message':
        return this.#readMessage(item, index);
      case 'reasoning':
        return this.#readReasoning(item);
      case 'function_call':
        return this.#readCall(item, readArguments(item['arguments']), ['arguments']);
      case 'custom_tool_call':
        return this.#readCall(item, JSON.stringify({ input: item['input'] ?? '' }), ['input'], {
          isFreeText: true,
        });
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#readOutput(item, index);
      case 'image_generation_call':
        return this.#readImage(item, index);
      default:
        return this.#readUnknown(item, index);
    }
  }

  #readImage(item: Fields, index: number): void {
    const data = textOf(item['result']);
    if (data === undefined) return this.#readUnknown(item, index);
    const mediaType = `image/${textOf(item['output_format']) ?? 'png'}`;
    this.#addParts({ type: 'image', media: { from: 'base64', data, mediaType }, ...ownExtras({ item }) });
  }

  #readMessage(item: Fields, index: number): void {
    const { role } = item;
    if (!isRole(role)) return this.#readUnknown(item, index);
    const content = readContent(item['content'], `input.${index}.content`);
    const others = otherFields(item, new Set(['role', 'content']));
    if (role === 'assistant') return this.#addAssistant(content, others);
    // A system message at the start would be written as `instructions`; the type marks it as an item.
    const isFirst = role === 'system' && index === 0;
    this.#add({ role, content, ...ownExtras(isFirst ? { type: 'message', ...others } : others) });
  }

  #addAssistant(content: readonly ContentPart[], others: Fields | undefined): void {
    const [first, ...rest] = content;
    if (first === undefined) return;
    const before = this.#parts?.at(-1)?.type;
    const needsMark = others !== undefined || before === 'text' || before === 'refusal';
    const marked = needsMark
      ? { ...first, ...ownExtras({ ...first.extras?.['openai-responses'], item: others ?? {} }) }
      : first;
    this.#addParts(marked, ...rest);
  }

  #readReasoning(item: Fields): void {
    const encrypted = textOf(item['encrypted_content']);
    const sealed = encrypted === undefined ? undefined : readSealed(encrypted);
    const text = readReasoningText(item);
    if (sealed === undefined || sealed.signatureFrom === 'openai-responses') {
      const others = otherFields(item, new Set(['type', 'encrypted_content'])) ?? {};
      this.#addParts({ type: 'reasoning', text, ...sealed, ...ownExtras(others) });
      return;
    }
    const { callSignature, ...kept } = sealed;
    if (callSignature !== undefined) this.#callSignature = sealed;
    else if (kept.signature !== undefined || kept.redacted !== undefined)
      this.#addParts({ type: 'reasoning', text, ...kept });
    else this.#addParts({ type: 'reasoning', text });
  }

  #readCall(
    item: Fields,
    argumentsText: string,
    known: readonly string[],
    kind?: { isFreeText: true },
  ): void {
    const others = otherFields(item, new Set(['type', 'call_id', 'name', ...known]));
    const seal = this.#callSignature;
    this.#callSignature = undefined;
    this.#addParts({
      type: 'tool-call',
      id: textOf(item['call_id']) ?? '',
      name: textOf(item['name']) ?? '',
      argumentsText,
      ...(seal?.callSignature !== undefined && {
        signature: seal.callSignature,
        signatureFrom: seal.signatureFrom,
      }),
      ...kind,
      ...ownExtras(others),
    });
  }

  #readOutput(item: Fields, index: number): void {
    const others = otherFields(item, new Set(['type', 'call_id', 'output']));
    const isCustom = item['type'] === 'custom_tool_call_output';
    const extras = isCustom ? { ...others, type: item['type'] } : others;
    const part: ContentPart = {
      type: 'tool-result',
      callId: textOf(item['call_id']) ?? '',
      content: readContent(item['output'], `input.${index}.output`),
      ...ownExtras(extras),
    };
    this.#add({ role: 'tool', content: [part] });
  }

  /** Keeps an unknown item whole. Other formats can only leave out searches. */
  #readUnknown(item: Fields, index: number): void {
    // A reference may lack its type; a message may not lack its role.
    const isNamed = item['role'] === undefined && item['id'] !== undefined;
    const type = textOf(item['type']) ?? (isNamed ? 'item_reference' : 'message');
    if (!SEARCHES.has(type)) {
      const what =
        type === 'item_reference'
          ? UNKNOWN_REFERENCE
          : `an item of type '${type}' can only be read by an upstream of the Responses format`;
      this.onlyIn ??= [
        {
          dialects: ['openai-responses'],
          param: `input.${index}`,
          message: `'input[${index}]': ${what}`,
        },
      ];
    }
    this.#addParts({ type: 'text', text: '', ...ownExtras({ item: { type, ...item } }) });
  }

  #addParts(...parts: readonly ContentPart[]): void {
    if (this.#parts === undefined) {
      this.#parts = [];
      this.messages.push({ role: 'assistant', content: this.#parts });
    }
    this.#parts.push(...parts);
  }

  #add(message: Message): void {
    this.#parts = undefined;
    this.#callSignature = undefined;
    this.messages.push(message);
  }
}

const isRole = (value: unknown): value is Role => ROLES.has(value);

/** The readable text of a reasoning item: its summaries, or the reasoning itself where it is not encrypted. */
export const readReasoningText = (item: Fields): string => {
  const read = (parts: unknown): string[] =>
    listOf(parts).flatMap((part) => textOf(fieldsOf(part)['text']) ?? []);
  const summary = read(item['summary']);
  return summary.length > 0 ? summary.join('\n\n') : read(item['content']).join('');
};
