import type { ContentPart, Media } from '#core/chat/request.ts';
import { openSignature, readSealOfCall } from '#core/chat/signature.ts';
import { fieldsOf, listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { byDot, listedParts } from '../../listed-parts.ts';
import { readArguments } from '../../call-arguments.ts';

type Call = Extract<ContentPart, { type: 'tool-call' }>;
type Thought = Extract<ContentPart, { type: 'reasoning' }>;

const WORDS: ReadonlySet<unknown> = new Set(['text']);

/**
 * Reads a message's content: a text, or a list of blocks. A block without a common form is stored whole as an extra. Throws
 * `invalid_request` for anything else; `param` is the name of the field.
 */
export const readContent = (content: unknown, param: string): ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const blocks = listedParts(content, param, WORDS);
  return withCallSignatures(blocks.flatMap((block, at) => readBlocks(block, param, at)));
};

/**
 * The caller got another format's call signature in an empty thought before the call; this puts it back on the call.
 */
const withCallSignatures = (parts: ContentPart[]): ContentPart[] => {
  const joined: ContentPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const signature = before?.type === 'reasoning' ? callSignature(before) : undefined;
    if (part.type === 'tool-call' && before?.type === 'reasoning' && signature !== undefined) {
      const { signatureFrom = 'anthropic-messages' } = before;
      joined.splice(-1, 1, { ...part, signature, signatureFrom } satisfies Call);
    } else joined.push(part);
  }
  return joined;
};

const callSignature = ({ text, signature, signatureFrom }: Thought): string | undefined =>
  text === '' && signature !== undefined && signatureFrom !== 'anthropic-messages'
    ? readSealOfCall(signature)
    : undefined;

/** A document made of texts and pictures becomes these parts for upstreams without such documents. */
const readBlocks = (block: Fields, list: string, at: number): ContentPart[] => {
  if (block['type'] === 'tool_result') return [readResult(block, `${byDot(list, at)}.content`)];
  const source = fieldsOf(block['source']);
  if (block['type'] !== 'document') return [readBlock(block)];
  if (source['type'] !== 'content') return withContext(block, readBlock(block));
  const inner = readContent(source['content'], `${byDot(list, at)}.source.content`);
  const isWritten = inner.every((part) => part.type === 'text');
  if (isWritten || !inner.every((part) => part.type === 'text' || part.type === 'image'))
    return [readBlock(block)];
  const head = textOfFound({ title: block['title'], source: block['context'] });
  const content: ContentPart[] = head === '' ? inner : [{ type: 'text', text: head }, ...inner];
  // For upstreams of this format, the first part carries the whole block.
  return content.map((part, at) => ({
    ...part,
    extras: { 'anthropic-messages': at === 0 ? { [FOUND]: block } : { [OF_DOCUMENT]: true } },
  }));
};

/** What the caller says about a document is a text before it, for upstreams whose files have no such field. */
const withContext = ({ context }: Fields, file: ContentPart): ContentPart[] => {
  if (file.type !== 'file' || typeof context !== 'string' || context.trim() === '') return [file];
  return [{ type: 'text', text: context, extras: { 'anthropic-messages': { [OF_DOCUMENT]: true } } }, file];
};

const readBlock = (block: Fields): ContentPart => {
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: textOf(block['text']) ?? '', ...others(block, ['text']) };
    case 'thinking':
      return readThinking(block);
    case 'redacted_thinking': {
      const { signature, signatureFrom } = openSignature(textOf(block['data']) ?? '', 'anthropic-messages');
      return { type: 'reasoning', text: '', redacted: signature, signatureFrom, ...others(block, ['data']) };
    }
    case 'image':
      return readMediaBlock(block, 'image');
    case 'document':
      return readMediaBlock(block, 'file');
    case 'tool_use':
      return {
        type: 'tool-call',
        id: textOf(block['id']) ?? '',
        name: textOf(block['name']) ?? '',
        argumentsText: readArguments(block['input'] ?? {}),
        ...others(block, ['id', 'name', 'input']),
      };
    case 'search_result':
      return written(block, textOfFound(block));
    case 'tool_reference':
      // Other formats do not load tools one by one: all tools are there already.
      return written(block, `The tool ${textOf(block['tool_name']) ?? ''} is available.`);
    case 'compaction':
      // The summary of the conversation so far, unless it is encrypted.
      return textOf(block['content']) === undefined ? held(block) : written(block, String(block['content']));
    default:
      return held(block);
  }
};

/** A block that other upstreams get as text. */
const written = (block: Fields, text: string): ContentPart => ({
  type: 'text',
  text,
  extras: { 'anthropic-messages': { [FOUND]: block } },
});

/** Marks, in the extras, a part that upstreams of this format get with its document. */
export const OF_DOCUMENT = 'of_document';

/** Marks, in a text's extras, the search result or document that the text stands for in other formats. */
export const FOUND = 'search_result';

const textOfFound = (block: Fields): string =>
  [block['title'], block['source'], ...listOf(block['content']).map((part) => fieldsOf(part)['text'])]
    .map(textOf)
    .filter((line) => line !== undefined)
    .join('\n');

const readThinking = (block: Fields): ContentPart => {
  const text = textOf(block['thinking']) ?? '';
  const { signature, signatureFrom } = openSignature(textOf(block['signature']) ?? '', 'anthropic-messages');
  const signed = { ...(signature !== '' && { signature }), signatureFrom };
  return { type: 'reasoning', text, ...signed, ...others(block, ['thinking', 'signature']) };
};

const readResult = (block: Fields, param: string): ContentPart => ({
  type: 'tool-result',
  callId: textOf(block['tool_use_id']) ?? '',
  content: readContent(block['content'], param),
  ...(typeof block['is_error'] === 'boolean' && { isError: block['is_error'] }),
  ...others(block, ['tool_use_id', 'content', 'is_error']),
});

const readMediaBlock = (block: Fields, type: 'image' | 'file'): ContentPart => {
  const source = fieldsOf(block['source']);
  const media = readSource(source);
  if (media === undefined) return readWrittenDocument(block, source) ?? held(block);
  if (type === 'image') return { type, media, ...others(block, ['source']) };
  const name = textOf(block['title']);
  return { type, media, ...(name !== undefined && { name }), ...others(block, ['source', 'title']) };
};

/** A document given as text blocks, which other formats get as text. */
const readWrittenDocument = (block: Fields, { type, content }: Fields): ContentPart | undefined => {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const isText = blocks.length > 0 && blocks.every((part) => fieldsOf(part)['type'] === 'text');
  if (type !== 'content' || !isText) return undefined;
  const text = textOfFound({ title: block['title'], source: block['context'], content: blocks });
  return written(block, text);
};

const readSource = (source: Fields): Media | undefined => {
  const data = textOf(source['data']);
  const mediaType = textOf(source['media_type']);
  const url = textOf(source['url']);
  const fileId = textOf(source['file_id']);
  switch (source['type']) {
    case 'base64':
      return data === undefined || mediaType === undefined ? undefined : { from: 'base64', data, mediaType };
    case 'text':
      return data === undefined
        ? undefined
        : { from: 'base64', data: Buffer.from(data).toString('base64'), mediaType: 'text/plain' };
    case 'url':
      return url === undefined ? undefined : { from: 'url', url };
    case 'file':
      return fileId === undefined ? undefined : { from: 'file-id', fileId };
    default:
      return undefined;
  }
};

const held = (block: Fields): ContentPart => ({
  type: 'text',
  text: '',
  extras: { 'anthropic-messages': block },
});

const others = (block: Fields, known: readonly string[]): { extras?: { 'anthropic-messages': Fields } } => {
  const rest = otherFields(block, new Set(['type', ...known]));
  return rest === undefined ? {} : { extras: { 'anthropic-messages': rest } };
};
