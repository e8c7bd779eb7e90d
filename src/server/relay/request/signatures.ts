import type { ChatRequest, ContentPart, DialectName } from '#core/chat/request.ts';
import type { AppError } from '#core/error.ts';

/** Formats whose upstreams sign thoughts. Other upstreams may treat signatures as they like. */
const SIGNING: ReadonlySet<string> = new Set<DialectName>([
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
]);

/**
 * Removes signatures and hidden thoughts made by upstreams of other formats, because only their maker accepts them. The
 * text of a thought stays.
 */
export const withOwnSignatures = (request: ChatRequest, target: string): ChatRequest =>
  SIGNING.has(target)
    ? without(request, ({ signatureFrom = 'openai-chat' }) => signatureFrom !== target)
    : request;

/** Removes all signatures, for an upstream that refuses them although it uses the format they were made in. */
export const withoutSignatures = (request: ChatRequest): ChatRequest => without(request, () => true);

type Signed = Extract<ContentPart, { type: 'reasoning' | 'tool-call' }>;

const without = (request: ChatRequest, isForeign: (part: Signed) => boolean): ChatRequest => {
  const isGone = (part: ContentPart): boolean => isSigned(part) && isForeign(part);
  if (!request.messages.some(({ content }) => content.some(isGone))) return request;
  return {
    ...request,
    messages: request.messages.map((message) => ({
      ...message,
      content: message.content.flatMap((part) => (isGone(part) ? unsigned(part) : [part])),
    })),
  };
};

/**
 * Whether a thought was signed. In Anthropic's format it counts even without a signature, because compatible upstreams
 * make such thoughts.
 */
const isSigned = (part: ContentPart): part is Signed =>
  part.type === 'reasoning'
    ? (part.signature ?? part.redacted ?? part.signatureFrom) !== undefined
    : part.type === 'tool-call' && part.signature !== undefined;

/**
 * Whether an upstream refuses a call because of a signature that another account or another provider of the same format
 * made. Matches the messages of Anthropic, OpenAI and Google.
 */
export const refusesSignatures = ({ upstream }: AppError): boolean =>
  upstream !== undefined &&
  (upstream.status === 400 || upstream.status === 422) &&
  !/missing/i.test(upstream.message) &&
  /signature|encrypted[ _]content|redacted_thinking/i.test(`${upstream.code ?? ''} ${upstream.message}`);

const unsigned = (part: ContentPart): ContentPart[] => {
  if (part.type === 'tool-call') {
    const { signature: _, signatureFrom: __, ...call } = part;
    return [call];
  }
  if (part.type !== 'reasoning' || part.text === '') return [];
  const { signature: _, signatureFrom: __, redacted: ___, ...thought } = part;
  return [thought];
};
