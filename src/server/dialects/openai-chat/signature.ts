import type { DialectName } from '#core/chat/request.ts';
import { openSignature, sealSignature } from '#core/chat/signature.ts';

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
  return {
    ...(opened !== undefined && { signature: opened.signature }),
    ...(openedData !== undefined && { redacted: openedData.signature }),
    ...(maker !== undefined && maker !== 'openai-chat' && { signatureFrom: maker }),
  };
};

/** What of a thought or a call goes to a caller of this format, so that it can come back. */
export const writeSealed = ({ signature, redacted, signatureFrom = 'openai-chat' }: Sealed) => ({
  signature: signature === undefined ? undefined : sealSignature({ signature, signatureFrom }, 'openai-chat'),
  redacted:
    redacted === undefined ? undefined : sealSignature({ signature: redacted, signatureFrom }, 'openai-chat'),
});
