import { openSignature, sealSignature } from '#core/chat/signature.ts';
import type { DialectName } from '#core/chat/request.ts';
import type { Fields } from '../openai/fields.ts';

const NAME = 'gemini';
const REDACTED = 'redacted.';

interface Signed {
  readonly signature?: string;
  readonly signatureFrom?: DialectName;
}

/** What a `thoughtSignature` of a caller says: its own, another format's, or a thought that is only there encrypted. */
export interface Opened extends Signed {
  readonly redacted?: string;
}

/**
 * Signatures are bytes in this format, which its client programs decode and encode again; so one that another format
 * made travels as base64 of itself with its mark.
 */
export const readSignature = (value: unknown): Opened => {
  if (typeof value !== 'string' || value === '') return {};
  const text = Buffer.from(value, 'base64').toString();
  const isRedacted = text.startsWith(REDACTED);
  const opened = openSignature(isRedacted ? text.slice(REDACTED.length) : text, NAME);
  if (opened.signatureFrom === NAME) return { signature: value, signatureFrom: NAME };
  return isRedacted
    ? { redacted: opened.signature, signatureFrom: opened.signatureFrom }
    : { signature: opened.signature, signatureFrom: opened.signatureFrom };
};

/** For a caller: every signature, so that it comes back. */
export const writeSignature = ({ signature, signatureFrom, redacted }: Opened): Fields => {
  if (redacted !== undefined) {
    const sealed = sealSignature(
      { signature: redacted, signatureFrom: signatureFrom ?? 'openai-chat' },
      NAME,
    );
    return { thoughtSignature: base64(REDACTED + sealed) };
  }
  if (signature === undefined) return {};
  if (signatureFrom === NAME) return { thoughtSignature: signature };
  return {
    thoughtSignature: base64(
      sealSignature({ signature, signatureFrom: signatureFrom ?? 'openai-chat' }, NAME),
    ),
  };
};

/** For an upstream of this format: only what one of its kind has made; it refuses any other. */
export const ownSignature = ({ signature, signatureFrom }: Signed): Fields =>
  signature !== undefined && signatureFrom === NAME ? { thoughtSignature: signature } : {};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
