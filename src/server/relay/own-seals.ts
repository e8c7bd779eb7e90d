import type { ChatRequest, ContentPart, DialectName } from '#core/chat/request.ts';

/** Formats whose upstreams sign thoughts; what others make of a signature is their own affair. */
const SIGNING: ReadonlySet<string> = new Set<DialectName>([
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
]);

/**
 * The request without the signatures and hidden thoughts that upstreams of other formats made: only their maker accepts
 * them back. The words of a thought stay.
 */
export const withOwnSeals = (request: ChatRequest, target: string): ChatRequest => {
  if (!SIGNING.has(target)) return request;
  const isForeign = (part: ContentPart): boolean => {
    if (part.type !== 'reasoning' && part.type !== 'tool-call') return false;
    const isSealed =
      part.signature !== undefined || (part.type === 'reasoning' && part.redacted !== undefined);
    return isSealed && (part.signatureFrom ?? 'openai-chat') !== target;
  };
  if (!request.messages.some(({ content }) => content.some(isForeign))) return request;
  return {
    ...request,
    messages: request.messages.map((message) => ({
      ...message,
      content: message.content.flatMap((part) => (isForeign(part) ? unsealed(part) : [part])),
    })),
  };
};

const unsealed = (part: ContentPart): ContentPart[] => {
  if (part.type === 'tool-call') {
    const { signature: _, signatureFrom: __, ...call } = part;
    return [call];
  }
  if (part.type !== 'reasoning' || part.text === '') return [];
  const { signature: _, signatureFrom: __, redacted: ___, ...thought } = part;
  return [thought];
};
