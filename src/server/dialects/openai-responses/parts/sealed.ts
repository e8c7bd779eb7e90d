import type { DialectName } from '#core/chat/request.ts';
import {
  asSealOfCall,
  openSignature,
  readSealOfCall,
  REDACTED,
  sealSignature,
} from '#core/chat/signature.ts';

/** Marks reasoning without a signature, so that an upstream of this format never gets it as its own. */
const PLAIN = 'plain.';

/** What an upstream wants back unread: a signature of reasoning, redacted reasoning, or a signature of the next call. */
export interface Sealed {
  readonly signature?: string;
  readonly redacted?: string;
  readonly callSignature?: string;
  readonly signatureFrom: DialectName;
}

/**
 * Writes a signature as the `encrypted_content` of a reasoning item, the only field that every client returns unchanged.
 * Signatures of other formats are marked; those of this format are written as they are.
 */
export const writeSealed = (sealed: Partial<Sealed>): string => {
  // Only chat passes signatures on without their origin.
  const signatureFrom = sealed.signatureFrom ?? 'openai-chat';
  const seal = (signature: string): string => sealSignature({ signature, signatureFrom }, 'openai-responses');
  if (sealed.redacted !== undefined) return seal(REDACTED + sealed.redacted);
  if (sealed.callSignature !== undefined) return seal(asSealOfCall(sealed.callSignature));
  return seal(sealed.signature ?? PLAIN);
};

/** The inverse of `writeSealed`. */
export const readSealed = (encryptedContent: string): Sealed => {
  const { signature, signatureFrom } = openSignature(encryptedContent, 'openai-responses');
  if (signatureFrom === 'openai-responses') return { signature, signatureFrom };
  if (signature.startsWith(REDACTED)) return { redacted: signature.slice(REDACTED.length), signatureFrom };
  const callSignature = readSealOfCall(signature);
  if (callSignature !== undefined) return { callSignature, signatureFrom };
  return signature === PLAIN ? { signatureFrom } : { signature, signatureFrom };
};
