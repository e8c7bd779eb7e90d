import type { DialectName } from './request.ts';

const MARKED = /^from\.(openai-chat|openai-responses|anthropic-messages|gemini)\.(.*)$/s;

/**
 * The signature of a thought or call, and the format of the upstream that made it: only that format accepts it back.
 */
export interface Signed {
  readonly signature: string;
  readonly signatureFrom?: DialectName;
}

/**
 * The signature as written in `carrier`'s format: unchanged if it comes from that format, else marked with its origin.
 */
export const sealSignature = ({ signature, signatureFrom }: Signed, carrier: DialectName): string =>
  signatureFrom === undefined || signatureFrom === carrier ? signature : `from.${signatureFrom}.${signature}`;

/** Reads a signature sent back by a caller, with the format that made it: `carrier` itself if it is not marked. */
export const openSignature = (text: string, carrier: DialectName): Required<Signed> => {
  const [, from, signature] = MARKED.exec(text) ?? [];
  return from === undefined || signature === undefined
    ? { signature: text, signatureFrom: carrier }
    : { signature, signatureFrom: from as DialectName };
};

/** Marks encrypted reasoning, which has no readable text, where it is written as a signature. */
export const REDACTED = 'redacted.';

const OF_CALL = 'call.';

/**
 * Marks a call's signature so that the thought before the call can carry it, for formats whose calls have no such
 * field.
 */
export const asSealOfCall = (signature: string): string => OF_CALL + signature;

/** The signature of the call that follows the thought; undefined if it is the thought's own. */
export const readSealOfCall = (signature: string): string | undefined =>
  signature.startsWith(OF_CALL) ? signature.slice(OF_CALL.length) : undefined;

const OF_PART = 'part.';

/** Marks the signature of a text or picture, so that a thought can carry it in every format. */
export const asSealOfPart = (kind: string, signature: string): string => `${OF_PART}${kind}.${signature}`;

/** Whether a signature belongs to a text or picture, not to a thought or call. */
export const isSealOfPart = (signature: string): boolean => signature.startsWith(OF_PART);

/** The part such a signature belongs to; undefined for any other signature. */
export const readSealOfPart = (
  signature: string,
): { readonly kind: string; readonly signature: string } | undefined => {
  const [, kind, rest] = /^part\.(text|image\d+)\.(.+)$/s.exec(signature) ?? [];
  return kind === undefined || rest === undefined ? undefined : { kind, signature: rest };
};
