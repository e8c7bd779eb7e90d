import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { FactorStore, SecondFactor } from '#core/user/factor-store.ts';
import type { User } from '#core/user/user.ts';
import { secondFactorPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { openedOrTold } from '../../open-sealed.ts';
import { refuse, countOrRefuse } from '../../refuse.ts';
import type { TellOwner } from './tell-owner.ts';

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
const BACKUP_CODES = 10;
/** No letters or digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export interface SecondFactorDeps {
  readonly factors: FactorStore;
  readonly vault: Vault;
  readonly log: Pick<Log, 'error'>;
  readonly siteName: () => string;
  readonly clock: Clock;
  /** Limits guesses at the codes of one account. */
  readonly codeLimit: RateLimiter;
  readonly tellOwner: TellOwner;
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/** Codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s), and backup codes if the app is lost. */
export const createSecondFactors = (deps: SecondFactorDeps) => {
  const { factors, vault, clock } = deps;
  const macOf = (userId: number, code: string): string => vault.mac(`backup-code ${userId} ${code}`);
  const totpOf = (user: Pick<User, 'username'>, secret: string): TOTP =>
    new TOTP({ issuer: deps.siteName(), label: user.username, secret: Secret.fromBase32(secret) });

  const newBackupCodes = (userId: number): { readonly codes: string[]; readonly macs: string[] } => {
    const codes = Array.from({ length: BACKUP_CODES }, backupCode);
    return { codes, macs: codes.map((code) => macOf(userId, code.replace('-', ''))) };
  };

  /** One step early or late is accepted because clocks differ; each step's code works once. */
  const isRight = async (user: User, sealed: string, code: string): Promise<boolean> => {
    const timestamp = clock.now();
    const totp = totpOf(user, openSecret(deps, user.id, sealed));
    const delta = totp.validate({ token: code, window: 1, timestamp });
    return delta !== null && factors.useStep(user.id, Math.floor(timestamp / 1000 / STEP_SECONDS) + delta);
  };

  /** Throws `second_factor_wrong` unless it is a current code of the app, or an unused backup code. */
  const prove = async (user: User, typed: string): Promise<void> => {
    await countGuess(deps, user.id);
    const factor = await factors.find(user.id);
    if (!factor?.isConfirmed) throw refuse('second_factor_off');
    const code = typed.replaceAll(/\p{Pd}/gu, '').toLowerCase();
    const right = /^\d{6}$/.test(code)
      ? await isRight(user, factor.sealedSecret, code)
      : await factors.useBackupCode(user.id, macOf(user.id, code));
    if (!right) throw refuse('second_factor_wrong');
    await deps.codeLimit.forget(String(user.id));
  };

  return {
    prove,
    isOn: async (userId: number): Promise<boolean> => (await factors.find(userId))?.isConfirmed === true,

    state: async (userId: number) => stateOf(await factors.find(userId)),
    /** A new secret for the app; it takes effect once `enable` has seen a code of it. */
    async begin(user: User): Promise<{ readonly secret: string; readonly url: string }> {
      const secret = new Secret({ size: SECRET_BYTES }).base32;
      if (!(await factors.begin(user.id, vault.encrypt(secret, secondFactorPlace(user.id)))))
        throw refuse('second_factor_on');
      return { secret, url: totpOf(user, secret).toString() };
    },

    /**
     * Counted as a guess: somebody with a stolen session could otherwise guess a code of the secret that its owner
     * has begun with, and would get the backup codes. @returns the backup codes, which are shown only once
     */
    async enable(user: User, code: string): Promise<readonly string[]> {
      await countGuess(deps, user.id);
      const factor = await factors.find(user.id);
      if (factor === undefined) throw refuse('second_factor_off');
      if (factor.isConfirmed) throw refuse('second_factor_on');
      if (!(await isRight(user, factor.sealedSecret, code))) throw refuse('second_factor_wrong');
      const { codes, macs } = newBackupCodes(user.id);
      if (!(await factors.confirm(user.id, factor.sealedSecret, clock.now(), macs)))
        throw refuse('second_factor_wrong');
      await deps.codeLimit.forget(String(user.id));
      return codes;
    },

    async renewBackupCodes(user: User, code: string): Promise<readonly string[]> {
      await prove(user, code);
      const { codes, macs } = newBackupCodes(user.id);
      if (!(await factors.replaceBackupCodes(user.id, macs))) throw refuse('second_factor_off');
      return codes;
    },

    async disable(user: User, code: string): Promise<void> {
      await prove(user, code);
      await factors.remove(user.id);
      deps.tellOwner(user, 'second_factor_off');
    },
  };
};

/** A damaged secret is no wrong code: its owner is to take a backup code, or have the second step turned off. */
const openSecret = (deps: SecondFactorDeps, userId: number, sealed: string): string => {
  const text = { sealed, place: secondFactorPlace(userId), row: `second factor of user ${userId}` };
  const secret = openedOrTold(deps, text);
  if (secret === undefined) throw refuse('second_factor_damaged');
  return secret;
};

/** Counts a guess before it is checked, so that parallel guesses get no extra tries. Throws `rate_limited`. */
const countGuess = async (
  { codeLimit }: Pick<SecondFactorDeps, 'codeLimit'>,
  userId: number,
): Promise<void> => {
  await countOrRefuse(codeLimit, String(userId));
};

const stateOf = (factor: SecondFactor | undefined) => {
  const isOn = factor?.isConfirmed === true;
  return { isOn, backupCodesLeft: isOn ? factor.backupCodesLeft : 0 };
};

/** `k7m2p-x9wqa`: 49 bits. */
const backupCode = (): string => {
  const letters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
};
