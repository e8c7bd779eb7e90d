import { logType } from '#contract/codes.ts';
import { issuePath, issuePhrase } from '#contract/issue-phrase.ts';
import { mayEditOption } from '#contract/may.ts';
import { isOptionKey, type OptionKey, optionRow, optionTable, optionText } from '#contract/options.ts';
import { NOT_JSON } from '#contract/options/option.ts';
import type { Clock } from '#core/clock.ts';
import { keptPhrase } from '#core/log/kept-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/vault.ts';
import { optionPlace } from './read-options.ts';
import { sayError } from './refuse.ts';

export interface OptionDeps {
  readonly options: OptionStore;
  readonly logs: Pick<LogStore, 'append'>;
  readonly vault: Pick<Vault, 'encrypt'>;
  /** Makes the change count for every call from now on, here and on other nodes. */
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
}

export type Options = ReturnType<typeof createOptions>;

const keys = Object.keys(optionTable).filter(isOptionKey);
const isSecret = (key: OptionKey): boolean => optionRow(key).secret === true;

/** The text to store for what was sent. Throws `option_invalid` or `option_json` where it does not read. */
const readText = (key: OptionKey, text: string): string => {
  const { schema, kind } = optionRow(key);
  const read = schema.safeParse(text);
  if (read.success) return kind === 'address' ? optionText(read.data) : text;
  const [issue] = read.error.issues;
  if (issue === undefined || issue.message === NOT_JSON)
    throw sayError('invalid_request', 'option_json', { key });
  const where = issuePath(issue);
  const what = issuePhrase(issue);
  throw sayError('invalid_request', 'option_invalid', {
    key,
    issue: where === '' ? what : { key: 'issue_at', values: { where, issue: what } },
  });
};

/** A service is switched on only when what it needs is filled in. */
const refuseMissing = (key: OptionKey, text: string, stored: ReadonlyMap<string, string>): void => {
  const { needs = [], kind } = optionRow(key);
  if (kind !== 'flag' || text !== 'true') return;
  const missing = needs.filter((need) => {
    const initial = isOptionKey(need) ? optionText(optionRow(need).initial) : '';
    return (stored.get(need) ?? initial).trim() === '';
  });
  if (missing.length > 0)
    throw sayError('invalid_request', 'option_needs', { key, missing: missing.join(', ') });
};

export const createOptions = ({ options, logs, vault, refreshRouting, clock }: OptionDeps) => {
  const set = async (editor: User, key: string, sent: string): Promise<void> => {
    if (!isOptionKey(key)) throw sayError('invalid_request', 'option_unknown', { key });
    if (!mayEditOption(editor, optionRow(key).editor)) throw sayError('forbidden', 'role_too_low');
    const text = readText(key, sent);
    refuseMissing(key, text, await options.all());
    const nowMs = clock.now();
    const stored = isSecret(key) && text !== '' ? vault.encrypt(text, optionPlace(key)) : text;
    await options.set(key, stored, nowMs);
    await refreshRouting();
    await logs.append({
      createdAtMs: nowMs,
      type: logType.manage,
      userId: editor.id,
      username: editor.username,
      content: keptPhrase('log_option', { key }),
    });
  };

  return {
    /** Every option that is no secret, as its text; of the secrets, which are set. */
    async list(): Promise<{
      readonly options: { readonly key: string; readonly value: string }[];
      readonly secretsSet: string[];
    }> {
      const stored = await options.all();
      return {
        options: keys
          .filter((key) => !isSecret(key))
          .map((key) => ({ key, value: stored.get(key) ?? optionText(optionRow(key).initial) })),
        secretsSet: keys.filter((key) => isSecret(key) && (stored.get(key) ?? '') !== ''),
      };
    },

    /** Stores a text that its option's schema reads; any other is refused and nothing changes. */
    set,

    /** Forgets every model ratio that was set: from now on the catalogue's count. */
    resetModelRatio: (editor: User): Promise<void> => set(editor, 'ModelRatio', '{}'),
  };
};
