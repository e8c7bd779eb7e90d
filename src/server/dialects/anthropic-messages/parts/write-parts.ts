import { onlyFormatOf } from '#core/chat/only-format.ts';
import type { ContentPart, Media } from '#core/chat/request.ts';
import { usualMediaType } from '#core/chat/usual-media-type.ts';
import { sealSignature } from '#core/chat/signature.ts';
import { AppError } from '#core/error.ts';
import { parseExactObject } from '#core/json/exact.ts';
import { fieldsOf, isFields, textOf, type Fields } from '#core/json/fields.ts';
import { FOUND, OF_DOCUMENT } from './read-parts.ts';

const CALL_ID = /^[\w-]{1,128}$/;

/** Writes parts as content: a plain text if possible, else blocks. `where` names the message in an error. */
export const writeContent = (parts: readonly ContentPart[], where: string): string | Fields[] => {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && only.extras?.['anthropic-messages'] === undefined)
    return onlyFormatOf(only.extras) === undefined ? only.text : writeBlocks(parts, where);
  return writeBlocks(parts, where);
};

/** Writes parts as blocks. `where` names the message in an error. */
export const writeBlocks = (parts: readonly ContentPart[], where: string): Fields[] =>
  parts.flatMap((part) => writeBlock(part, where));

const writeBlock = (part: ContentPart, where: string): Fields[] => {
  const extras = part.extras?.['anthropic-messages'] ?? {};
  const holder = onlyFormatOf(part.extras);
  if (holder === 'anthropic-messages') return [extras];
  const found = extras[FOUND];
  if (isFields(found)) return [found];
  if (extras[OF_DOCUMENT] === true) return [];
  // Calls and results have a common form, whatever the tool.
  const isOfTool = part.type === 'tool-call' || part.type === 'tool-result';
  // `requireSupportedParts` has already refused such parts of users and tools; an assistant's are covered by its text.
  if (holder !== undefined && !isOfTool) return [];
  switch (part.type) {
    case 'text':
    case 'refusal':
      // This format refuses empty texts.
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...withoutForeignCitations(extras) }];
    case 'reasoning':
      return writeThought(part, extras);
    case 'image':
      return [{ type: 'image', source: writeSource(part.media), ...extras }];
    case 'file':
      return [writeDocument(part, extras, where)];
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: writeCallId(part.id),
          name: part.name,
          input: parseArguments(part.argumentsText),
          ...extras,
        },
      ];
    case 'tool-result':
      return [writeResult(part, extras, where)];
    case 'audio':
      throw new AppError('invalid_request', `'${where}' contains sound, which this model does not take`, {
        param: where,
        reason: 'unsupported_content',
      });
  }
};

/** Another format's citations refer to searches unknown here, so upstreams refuse them. */
const withoutForeignCitations = (extras: Fields): Fields => {
  const { citations, ...rest } = extras;
  if (!Array.isArray(citations)) return extras;
  const own = citations.filter(
    (citation) => textOf(fieldsOf(citation)['encrypted_index'])?.startsWith('from.') !== true,
  );
  if (own.length === citations.length) return extras;
  return own.length === 0 ? rest : { ...rest, citations: own };
};

/** Thoughts go back only to upstreams of their own format: others refuse the signature. */
const writeThought = (part: Extract<ContentPart, { type: 'reasoning' }>, extras: Fields): Fields[] => {
  if (part.signatureFrom !== 'anthropic-messages') return [];
  const { text, signature, redacted } = part;
  if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted, ...extras }];
  return [{ type: 'thinking', thinking: text, ...(signature !== undefined && { signature }), ...extras }];
};

const writeResult = (
  part: Extract<ContentPart, { type: 'tool-result' }>,
  extras: Fields,
  where: string,
): Fields => {
  const content = writeContent(part.content, where);
  return {
    type: 'tool_result',
    tool_use_id: writeCallId(part.callId),
    ...(content.length > 0 && { content }),
    ...(part.isError !== undefined && { is_error: part.isError }),
    ...extras,
  };
};

const writeDocument = (
  part: Extract<ContentPart, { type: 'file' }>,
  extras: Fields,
  where: string,
): Fields => {
  const { media, name } = part;
  if (media.from === 'base64' && !/^(?:application\/pdf$|text\/)/.test(media.mediaType)) {
    const message = `'${where}' holds a file of type ${media.mediaType}; this model reads PDF and plain text`;
    throw new AppError('invalid_request', message, { param: where, reason: 'unsupported_content' });
  }
  if (media.from === 'url' && media.mediaType !== undefined && media.mediaType !== 'application/pdf') {
    const message = `'${where}' holds the address of a file of type ${media.mediaType}; by address this model reads PDF alone`;
    throw new AppError('invalid_request', message, { param: where, reason: 'unsupported_content' });
  }
  const source =
    media.from === 'base64' && media.mediaType !== 'application/pdf'
      ? { type: 'text', media_type: 'text/plain', data: Buffer.from(media.data, 'base64').toString() }
      : writeSource(media);
  return { type: 'document', source, ...(name !== undefined && { title: name }), ...extras };
};

const writeSource = (media: Media): Fields => {
  switch (media.from) {
    case 'url':
      return { type: 'url', url: media.url };
    case 'base64':
      return { type: 'base64', media_type: usualMediaType(media.mediaType), data: media.data };
    case 'file-id':
      return { type: 'file', file_id: media.fileId };
  }
};

/** Replaces characters in ids that this format refuses; the same id always gives the same result. */
const writeCallId = (id: string): string =>
  CALL_ID.test(id) ? id : `call_${id.replaceAll(/[^\w-]/g, '_').slice(0, 120)}`;

/**
 * Parses a call's arguments as the object this format wants. Text that is not a JSON object (models may write anything,
 * or be cut off) is stored in a field, so that the conversation can continue.
 */
export const parseArguments = (text: string): Fields => {
  if (text.trim() === '') return {};
  return parseExactObject(text) ?? { raw_arguments: text };
};

/** A signature of any or unknown origin, as written for a caller of this format. */
export const writeSignature = (
  signature: string,
  signatureFrom: Parameters<typeof sealSignature>[0]['signatureFrom'],
): string =>
  sealSignature({ signature, signatureFrom: signatureFrom ?? 'openai-chat' }, 'anthropic-messages');
