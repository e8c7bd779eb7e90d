import type { MessageKey, PhraseValues } from '#contract/messages.ts';
import type { Log } from '#core/logging.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { sayError } from './refuse.ts';

interface OpenDeps {
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly log: Pick<Log, 'error'>;
}

/** An encrypted text of a row, and the place it was encrypted for. */
interface SealedText {
  readonly sealed: string;
  readonly place: string;
  /** What the log calls the row, such as `token 12`: a place may contain what is not for the log. */
  readonly row: string;
}

/**
 * Decrypts a text. One that was damaged, or restored without its key, is undefined and is told in the log: it must not
 * hide the rows that are listed with it.
 */
export const openedOrTold = (
  { vault, log }: OpenDeps,
  { sealed, place, row }: SealedText,
): string | undefined => {
  try {
    return vault.decrypt(sealed, place);
  } catch (error) {
    log.error('a stored secret could not be decrypted', { row, error });
    return undefined;
  }
};

/** Decrypts what is needed now. Refuses in words if it was damaged. */
export const openedOrRefused = (
  { vault }: Pick<OpenDeps, 'vault'>,
  { sealed, place }: Omit<SealedText, 'row'>,
  key: MessageKey,
  values: PhraseValues = {},
): string => {
  try {
    return vault.decrypt(sealed, place);
  } catch (cause) {
    throw sayError('refused', key, values, { cause });
  }
};
