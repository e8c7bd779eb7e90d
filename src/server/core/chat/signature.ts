import type { DialectName } from './request.ts';

const MARKED = /^from\.(openai-chat|openai-responses|anthropic-messages|gemini)\.(.*)$/s;

/** What an upstream signed a thought or a call with, and the format it speaks: only that one accepts it back. */
export interface Signed {
  readonly signature: string;
  readonly signatureFrom?: DialectName;
}

/** The signature as it is carried in another format: untouched in its own kind, else marked with where it is from. */
export const sealSignature = ({ signature, signatureFrom }: Signed, carrier: DialectName): string =>
  signatureFrom === undefined || signatureFrom === carrier ? signature : `from.${signatureFrom}.${signature}`;

/** A signature a caller sends back, and the format that made it: the carrier itself where nothing is marked. */
export const openSignature = (text: string, carrier: DialectName): Required<Signed> => {
  const [, from, signature] = MARKED.exec(text) ?? [];
  return from === undefined || signature === undefined
    ? { signature: text, signatureFrom: carrier }
    : { signature, signatureFrom: from as DialectName };
};

const OF_CALL = 'call.';

/** The signature of a call, told as that of a thought in front of it where a format has no place for it on the call. */
export const asSealOfCall = (signature: string): string => OF_CALL + signature;

/** The signature of the call behind a thought; undefined for one of the thought itself. */
export const readSealOfCall = (signature: string): string | undefined =>
  signature.startsWith(OF_CALL) ? signature.slice(OF_CALL.length) : undefined;

const OF_PART = 'part.';

/** The signature of a text or picture of an answer, told as that of a thought so that every format carries it. */
export const asSealOfPart = (kind: string, signature: string): string => `${OF_PART}${kind}.${signature}`;

/** Whether a signature belongs to a text or picture, and to no thought or call. */
export const isSealOfPart = (signature: string): boolean => signature.startsWith(OF_PART);

/** What such a signature belongs to; undefined for any other. */
export const readSealOfPart = (
  signature: string,
): { readonly kind: string; readonly signature: string } | undefined => {
  const [, kind, rest] = /^part\.(text|image\d+)\.(.+)$/s.exec(signature) ?? [];
  return kind === undefined || rest === undefined ? undefined : { kind, signature: rest };
};
