import { describe, expect, it } from 'vitest';
import { newPassword } from '#contract/api/people/session.ts';
import { createPasswords } from './passwords.ts';

/** Systems and keyboards spell one password differently. Source: NIST SP 800-63B, 3.1.1.2. */

const passwords = createPasswords();
const COMPOSED = 'caf\u00e9 \u00fcber';
const OF_A_MAC = COMPOSED.normalize('NFD');
const WIDE = 'ｃａｆé\u3000über';

describe('a password is the same on every system', () => {
  it.each([OF_A_MAC, COMPOSED, WIDE])('%j', async (chosen) => {
    const stored = await passwords.hash(chosen);
    for (const typed of [OF_A_MAC, COMPOSED, WIDE]) expect(await passwords.verify(typed, stored)).toBe(true);
    expect(await passwords.verify('cafe uber', stored)).toBe(false);
  });

  it('also where it was hashed as it was typed, by an older version', async () => {
    // argon2id of the spellings above, unsettled.
    const older = {
      [OF_A_MAC]:
        '$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$2KCW0DoXG4Ieq+esViFDMp8UG/wCCeW7RDHc4qe8nS8',
      [WIDE]:
        '$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$ZzQJO20rWs8pFr/ZNLPOO6B2twY/XiOqg74UCczfOwo',
    };
    expect(await passwords.verify(OF_A_MAC, older[OF_A_MAC])).toBe(true);
    expect(await passwords.verify(COMPOSED, older[OF_A_MAC])).toBe(true);
    expect(await passwords.verify(WIDE, older[WIDE])).toBe(true);
  });

  it('and as long', () => {
    const long = (typed: string) => newPassword.safeParse(typed).success;
    expect(['é'.repeat(8), 'é'.repeat(7)].map((typed) => long(typed.normalize('NFD')))).toEqual([
      true,
      false,
    ]);
  });
});

it('without a hash no password is right', async () => {
  expect(await passwords.verify(COMPOSED, undefined)).toBe(false);
});
