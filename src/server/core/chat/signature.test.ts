import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSignature, sealSignature } from './signature.ts';

const names = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;

test('a signature comes back byte for byte with the format that made it, whatever format carried it', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.startsWith('from.')),
      fc.constantFrom(...names),
      fc.constantFrom(...names),
      (signature, signatureFrom, carrier) => {
        const carried = sealSignature({ signature, signatureFrom }, carrier);
        expect(openSignature(carried, carrier)).toEqual({ signature, signatureFrom });
      },
    ),
  );
});

test('a signature of the same format is passed on untouched, even if it looks marked', () => {
  expect(sealSignature({ signature: 'EqQB', signatureFrom: 'gemini' }, 'gemini')).toBe('EqQB');
  expect(openSignature('from.nobody.x', 'gemini')).toEqual({
    signature: 'from.nobody.x',
    signatureFrom: 'gemini',
  });
  expect(openSignature('from.gemini', 'openai-chat')).toEqual({
    signature: 'from.gemini',
    signatureFrom: 'openai-chat',
  });
});
