import type { ChatRequest, ContentPart, DialectName } from '#core/chat/request.ts';
import type { AppError } from '#core/error.ts';

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
export const withOwnSeals = (request: ChatRequest, target: string): ChatRequest =>
  SIGNING.has(target)
    ? without(request, ({ signatureFrom = 'openai-chat' }) => signatureFrom !== target)
    : request;

/** The request without any: its upstream does not accept them, although it speaks the format they were made in. */
export const withoutSeals = (request: ChatRequest): ChatRequest => without(request, () => true);

type Sealed = Extract<ContentPart, { type: 'reasoning' | 'tool-call' }>;

const without = (request: ChatRequest, isForeign: (part: Sealed) => boolean): ChatRequest => {
  const isGone = (part: ContentPart): boolean => isSealed(part) && isForeign(part);
  if (!request.messages.some(({ content }) => content.some(isGone))) return request;
  return {
    ...request,
    messages: request.messages.map((message) => ({
      ...message,
      content: message.content.flatMap((part) => (isGone(part) ? unsealed(part) : [part])),
    })),
  };
};

const isSealed = (part: ContentPart): part is Sealed =>
  (part.type === 'reasoning' || part.type === 'tool-call') &&
  (part.signature !== undefined || (part.type === 'reasoning' && part.redacted !== undefined));

/**
 * Whether an upstream refuses a call because of a seal that another account, or another maker's upstream of the same
 * format, has made (the words of Anthropic, OpenAI and Google for it).
 */
export const refusesSeals = ({ upstream }: AppError): boolean =>
  upstream !== undefined &&
  (upstream.status === 400 || upstream.status === 422) &&
  !/missing/i.test(upstream.message) &&
  /signature|encrypted[ _]content|redacted_thinking/i.test(`${upstream.code ?? ''} ${upstream.message}`);

const unsealed = (part: ContentPart): ContentPart[] => {
  if (part.type === 'tool-call') {
    const { signature: _, signatureFrom: __, ...call } = part;
    return [call];
  }
  if (part.type !== 'reasoning' || part.text === '') return [];
  const { signature: _, signatureFrom: __, redacted: ___, ...thought } = part;
  return [thought];
};
