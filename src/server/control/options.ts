import { logType } from '#contract/codes.ts';
import { mayEditOption } from '#contract/may.ts';
import { isOptionKey, type Option, optionTable, optionText } from '#contract/options.ts';
import type { Clock } from '#core/clock.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { User } from '#core/user/user.ts';
import { sayError } from './refuse.ts';

export interface OptionDeps {
  readonly options: OptionStore;
  readonly logs: Pick<LogStore, 'append'>;
  /** Makes the change count for every call from now on, here and on other nodes. */
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
}

export type Options = ReturnType<typeof createOptions>;

/** Addresses that others are joined to: a slash at the end would be doubled. */
const ADDRESSES = new Set<string>(['ServerAddress']);

const table: Readonly<Record<string, Option<unknown>>> = optionTable;

export const createOptions = ({ options, logs, refreshRouting, clock }: OptionDeps) => ({
  /** Every option that is no secret, as its text. */
  async list(): Promise<{ readonly key: string; readonly value: string }[]> {
    const stored = await options.all();
    return Object.entries(table)
      .filter(([, option]) => option.secret !== true)
      .map(([key, option]) => ({ key, value: stored.get(key) ?? optionText(option.initial) }));
  },

  /** Stores a text that its option's schema reads; any other is refused and nothing changes. */
  async set(editor: User, key: string, text: string): Promise<void> {
    const option = isOptionKey(key) ? table[key] : undefined;
    if (option === undefined) throw sayError('invalid_request', 'option_unknown', { key });
    if (!mayEditOption(editor, option.editor)) throw sayError('forbidden', 'role_too_low');
    const value = ADDRESSES.has(key) ? text.trim().replace(/\/+$/, '') : text;
    const read = option.schema.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      const where = issue?.path.join('.');
      throw sayError('invalid_request', 'option_invalid', {
        key,
        issue: [where, issue?.message].filter(Boolean).join(': '),
      });
    }
    const nowMs = clock.now();
    await options.set(key, value, nowMs);
    await refreshRouting();
    await logs.append({
      createdAtMs: nowMs,
      type: logType.manage,
      userId: editor.id,
      username: editor.username,
      content: `changed option ${key}`,
    });
  },
});
