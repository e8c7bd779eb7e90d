import type { DialectName } from '#core/chat/request.ts';
import { openSignature, sealSignature } from '#core/chat/signature.ts';
import { fieldsOf, textOf, type Fields } from '../openai/fields.ts';

interface Sealed {
  readonly signature?: string | undefined;
  readonly redacted?: string | undefined;
  readonly signatureFrom?: DialectName;
}

/** A signature, or thoughts in encrypted form, as this format's upstream or caller sent them, with their maker. */
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

/** Where a thought stood in its answer: behind so many UTF-16 units of text and so many calls. */
export interface Place {
  readonly characters: number;
  readonly calls: number;
}

const PLACE = /^at\.(\d{1,12})\.(\d{1,6})\./;

/**
 * The seal of another format's upstream with the place of its thought, which this format tells nowhere and which that
 * upstream wants kept; inside the seal, since clients keep no fields they do not know.
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

/** The place that such a seal tells; undefined for a thought that came first, or whose place nobody told. */
export const readPlace = (detail: Fields): Place | undefined => {
  const seal = textOf(detail['signature']) ?? textOf(detail['data']);
  if (seal === undefined) return undefined;
  const { signature, signatureFrom } = openSignature(seal, 'openai-chat');
  const [, characters, calls] = signatureFrom === 'openai-chat' ? [] : (PLACE.exec(signature) ?? []);
  return calls === undefined ? undefined : { characters: Number(characters), calls: Number(calls) };
};

/** What of a thought or a call goes to a caller of this format, so that it can come back. */
export const writeSealed = ({ signature, redacted, signatureFrom = 'openai-chat' }: Sealed) => ({
  signature: signature === undefined ? undefined : sealSignature({ signature, signatureFrom }, 'openai-chat'),
  redacted:
    redacted === undefined ? undefined : sealSignature({ signature: redacted, signatureFrom }, 'openai-chat'),
});

const WHOLE = 'detail.';

/**
 * The seal of an entry of `reasoning_details`. Routers say beside it whose format it has and under which id it was made,
 * and want that back (openrouter.ai/docs, reasoning tokens): then the seal is the whole entry, but for its words.
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

/** The entry a seal of this format stands for, without its words. */
export const writeDetailSeal = ({ signature, redacted }: Pick<Sealed, 'signature' | 'redacted'>): Fields => {
  const entry = readWhole(signature ?? redacted);
  if (entry !== undefined) return entry;
  return {
    type: redacted === undefined ? 'reasoning.text' : 'reasoning.encrypted',
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { data: redacted }),
  };
};

/** A caller may have changed it: then it is no entry. */
const readWhole = (seal: string | undefined): Fields | undefined => {
  if (seal?.startsWith(WHOLE) !== true) return undefined;
  try {
    return fieldsOf(JSON.parse(seal.slice(WHOLE.length)));
  } catch {
    return undefined;
  }
};
