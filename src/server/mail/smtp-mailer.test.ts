import { expect, it } from 'vitest';
import { isTlsAtOnce } from './smtp-mailer.ts';

it('on port 465 mail goes over TLS from the first byte, whatever the switch says; elsewhere the switch says', () => {
  const cases = [
    [465, false],
    [465, true],
    [587, false],
    [587, true],
    [25, false],
  ] as const;
  const answers = cases.map(([SMTPPort, SMTPSSLEnabled]) => isTlsAtOnce({ SMTPPort, SMTPSSLEnabled }));
  expect(answers).toEqual([true, true, false, true, false]);
});
