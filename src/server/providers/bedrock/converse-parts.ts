import { onlyFormatOf } from '#core/chat/only-format.ts';
import type { ContentPart, Media, Message } from '#core/chat/request.ts';
import { usualMediaType } from '#core/chat/usual-media-type.ts';
import { AppError } from '#core/error.ts';
import { parseArguments } from '../../dialects/anthropic-messages/parts/write-parts.ts';
import { ownOf, fieldsOf, type Fields } from '#core/json/fields.ts';
import { isNova } from './converse-models.ts';

const PICTURES = new Set(['png', 'jpeg', 'gif', 'webp']);

/** Document formats by media type (docs.aws.amazon.com/bedrock, DocumentBlock). */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
};

/** The error for content that Bedrock has no field for; `param` is the caller's field. */
export const refused = (param: string, why: string): AppError =>
  new AppError('invalid_request', `${param}: ${why}`, { param, reason: 'unsupported_parameter' });

/** Replaces characters that Bedrock refuses in the id of a tool call. Equal ids stay equal. */
const callId = (id: string): string => id.replaceAll(/[^\w.:-]/g, '_').slice(-64);

/** Writes the content parts of one conversation for one model. */
export class ConverseParts {
  readonly #model: string;
  /** The names of documents so far; each may occur only once. */
  readonly #names = new Set<string>();

  constructor(model: string) {
    this.#model = model;
  }

  /** Writes parts as blocks; `where` names the message in a refusal. A document always gets a text next to it. */
  write({ role, content }: Message, where: string): Fields[] {
    const blocks = content.flatMap((part) => {
      const holder = onlyFormatOf(part.extras);
      if (holder === undefined) return [...this.#block(part, where), ...this.#cacheMark(part)];
      // Parts that only another format has are dropped from earlier answers, but refused in a user's message.
      if (role === 'assistant') return [];
      throw refused(where, `a part that only exists in the ${holder} format cannot be sent to this model`);
    });
    const lacksText = blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block);
    return lacksText ? [{ text: 'The document:' }, ...blocks] : blocks;
  }

  /** The cache mark of a caller of the Messages format; only some models accept one. */
  #cacheMark({ extras }: ContentPart): Fields[] {
    const isMarked = fieldsOf(extras?.['anthropic-messages'])['cache_control'] !== undefined;
    return isMarked && isNova(this.#model) ? [{ cachePoint: { type: 'default' } }] : [];
  }

  #block(part: ContentPart, where: string): Fields[] {
    switch (part.type) {
      case 'text':
      case 'refusal':
        // Bedrock refuses blank texts.
        return part.text.trim() === '' ? [] : [{ text: part.text }];
      case 'reasoning':
        return [];
      case 'image':
        return [{ image: pictureOf(part.media, where) }];
      case 'file':
        return [{ document: this.#document(part.media, part.name, where) }];
      case 'audio':
        throw refused(where, 'this upstream cannot be given sound');
      case 'tool-call':
        return [
          {
            toolUse: {
              toolUseId: callId(part.id),
              name: part.name,
              input: parseArguments(part.argumentsText),
            },
          },
        ];
      case 'tool-result': {
        const content = part.content.flatMap((inner) => this.#block(inner, where));
        return [
          {
            toolResult: {
              toolUseId: callId(part.callId),
              content: content.length === 0 ? [{ text: '(nothing)' }] : content,
              ...(part.isError === true && { status: 'error' }),
            },
          },
        ];
      }
    }
  }

  #document(media: Media, name: string | undefined, where: string): Fields {
    const { data, mediaType } = bytesOf(media, where);
    const format = ownOf(DOCUMENTS, mediaType);
    if (format === undefined) throw refused(where, `this upstream reads no files of type ${mediaType}`);
    // Bedrock refuses other characters and repeated spaces in a name.
    const plain = (name ?? 'document')
      .replace(/\.\w{1,5}$/, '')
      .replaceAll(/[^\p{L}\p{N} ()[\]-]+/gu, ' ')
      .replaceAll(/ +/g, ' ')
      .trim();
    const base = plain === '' ? 'document' : plain;
    let unique = base;
    for (let count = 2; this.#names.has(unique); count += 1) unique = `${base} ${count}`;
    this.#names.add(unique);
    return { format, name: unique, source: { bytes: data } };
  }
}

const pictureOf = (media: Media, where: string): Fields => {
  const { data, mediaType } = bytesOf(media, where);
  const format = usualMediaType(mediaType).replace(/^image\//, '');
  if (!PICTURES.has(format)) throw refused(where, `this upstream reads no pictures of type ${mediaType}`);
  return { format, source: { bytes: data } };
};

const bytesOf = (media: Media, where: string): { readonly data: string; readonly mediaType: string } => {
  if (media.from === 'base64') return media;
  throw refused(where, 'this upstream takes pictures and files as their bytes, not by address or id');
};
