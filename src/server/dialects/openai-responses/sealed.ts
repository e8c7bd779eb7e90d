import type { DialectName } from '#core/chat/request.ts';
import { asSealOfCall, openSignature, readSealOfCall, sealSignature } from '#core/chat/signature.ts';

const REDACTED = 'redacted.';
/** Marks a thought that came without a seal, so that an upstream of this format is never given it as its own. */
const PLAIN = 'plain.';

/** What an upstream wants back unread: with a thought, instead of one, or with the call that followed it. */
export interface Sealed {
  readonly signature?: string;
  readonly redacted?: string;
  readonly callSignature?: string;
  readonly signatureFrom: DialectName;
}

/**
 * What upstreams of other formats sealed travels as the `encrypted_content` of a reasoning item, the one thing every
 * client of this format hands back as it came. Upstreams of this format find their own there, untouched.
 */
export const writeSealed = (sealed: Partial<Sealed>): string => {
  // A format that says nothing of where a signature is from passes those of others on: chat.
  const signatureFrom = sealed.signatureFrom ?? 'openai-chat';
  const seal = (signature: string): string => sealSignature({ signature, signatureFrom }, 'openai-responses');
  if (sealed.redacted !== undefined) return seal(REDACTED + sealed.redacted);
  if (sealed.callSignature !== undefined) return seal(asSealOfCall(sealed.callSignature));
  return seal(sealed.signature ?? PLAIN);
};

/** The other way round. */
export const readSealed = (encryptedContent: string): Sealed => {
  const { signature, signatureFrom } = openSignature(encryptedContent, 'openai-responses');
  if (signatureFrom === 'openai-responses') return { signature, signatureFrom };
  if (signature.startsWith(REDACTED)) return { redacted: signature.slice(REDACTED.length), signatureFrom };
  const callSignature = readSealOfCall(signature);
  if (callSignature !== undefined) return { callSignature, signatureFrom };
  return signature === PLAIN ? { signatureFrom } : { signature, signatureFrom };
};
