import { openSignature, REDACTED, sealSignature } from '#core/chat/signature.ts';
import type { DialectName } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';

const NAME = 'gemini';

interface Signed {
  readonly signature?: string;
  readonly signatureFrom?: DialectName;
}

/** What a caller's `thoughtSignature` contains: a signature of this or another format, or an encrypted thought. */
export interface Opened extends Signed {
  readonly redacted?: string;
}

/**
 * Signatures are bytes here, which clients decode and encode again; another format's signature is therefore sent as
 * base64 of its marked text.
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

/** For callers: writes every signature, so that it comes back. */
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

/** For upstreams of this format: only signatures of this format, because others are refused. */
export const ownSignature = ({ signature, signatureFrom }: Signed): Fields =>
  signature !== undefined && signatureFrom === NAME ? { thoughtSignature: signature } : {};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
