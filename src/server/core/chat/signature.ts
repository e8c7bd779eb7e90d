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
