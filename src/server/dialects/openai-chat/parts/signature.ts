import type { DialectName } from '#core/chat/request.ts';
import { openSignature, sealSignature } from '#core/chat/signature.ts';
import { type Fields, parsedFields, textOf } from '#core/json/fields.ts';

interface Sealed {
  readonly signature?: string | undefined;
  readonly redacted?: string | undefined;
  readonly signatureFrom?: DialectName;
}

/** Reads a signature or encrypted reasoning of this format, with the format that made it. */
export const readSealed = (
  signature: string | undefined,
  redacted?: string,
): { signature?: string; redacted?: string; signatureFrom?: DialectName } => {
  const opened = signature === undefined ? undefined : openSignature(signature, 'openai-chat');
  const openedData = redacted === undefined ? undefined : openSignature(redacted, 'openai-chat');
  const maker = opened?.signatureFrom ?? openedData?.signatureFrom;
  const isForeign = maker !== undefined && maker !== 'openai-chat';
  const bare = (seal: string): string => (isForeign ? seal.replace(PLACE, '') : seal);
  return {
    ...(opened !== undefined && { signature: bare(opened.signature) }),
    ...(openedData !== undefined && { redacted: bare(openedData.signature) }),
    ...(isForeign && { signatureFrom: maker }),
  };
};

/** The place of reasoning in its answer: after this many UTF-16 units of text and this many calls. */
export interface Place {
  readonly characters: number;
  readonly calls: number;
}

const PLACE = /^at\.(\d{1,12})\.(\d{1,6})\./;

/**
 * Adds the place of reasoning to another format's signature. This format has no field for it, and clients drop unknown
 * fields, so it goes inside the signature.
 */
export const withPlace = (sealed: Sealed, { characters, calls }: Place): Sealed => {
  const { signature, redacted, signatureFrom = 'openai-chat' } = sealed;
  if (signatureFrom === 'openai-chat' || characters + calls === 0) return sealed;
  const placed = (seal: string): string => `at.${characters}.${calls}.${seal}`;
  return {
    signatureFrom,
    ...(signature !== undefined && { signature: placed(signature) }),
    ...(redacted !== undefined && { redacted: placed(redacted) }),
  };
};

/** Reads that place; undefined if the reasoning came first or its place is unknown. */
export const readPlace = (detail: Fields): Place | undefined => {
  const seal = textOf(detail['signature']) ?? textOf(detail['data']);
  if (seal === undefined) return undefined;
  const { signature, signatureFrom } = openSignature(seal, 'openai-chat');
  const [, characters, calls] = signatureFrom === 'openai-chat' ? [] : (PLACE.exec(signature) ?? []);
  return calls === undefined ? undefined : { characters: Number(characters), calls: Number(calls) };
};

/** Writes a signature or encrypted reasoning so that a caller of this format can send it back. */
export const writeSealed = ({ signature, redacted, signatureFrom = 'openai-chat' }: Sealed) => ({
  signature: signature === undefined ? undefined : sealSignature({ signature, signatureFrom }, 'openai-chat'),
  redacted:
    redacted === undefined ? undefined : sealSignature({ signature: redacted, signatureFrom }, 'openai-chat'),
});

const WHOLE = 'detail.';

/**
 * Reads the signature of a `reasoning_details` entry. Routers add its format and id and want them back
 * (openrouter.ai/docs, reasoning tokens): then the whole entry without its text serves as the signature.
 */
export const readDetailSeal = (detail: Fields): ReturnType<typeof readSealed> => {
  const signature = textOf(detail['signature']);
  const data = textOf(detail['data']);
  const sealed = readSealed(signature, data);
  const isOwn = sealed.signatureFrom === undefined && (signature ?? data) !== undefined;
  if (!isOwn || (detail['format'] === undefined && detail['id'] === undefined)) return sealed;
  const { text: _, summary: __, ...entry } = detail;
  const whole = WHOLE + JSON.stringify(entry);
  return data === undefined ? { signature: whole } : { redacted: whole };
};

/** The entry for such a signature, without its text. */
export const writeDetailSeal = ({ signature, redacted }: Pick<Sealed, 'signature' | 'redacted'>): Fields => {
  const entry = readWhole(signature ?? redacted);
  if (entry !== undefined) return entry;
  return {
    type: redacted === undefined ? 'reasoning.text' : 'reasoning.encrypted',
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { data: redacted }),
  };
};

/** Undefined if a caller changed it so that it is no longer an entry. */
const readWhole = (seal: string | undefined): Fields | undefined => {
  return seal?.startsWith(WHOLE) === true ? parsedFields(seal.slice(WHOLE.length)) : undefined;
};
