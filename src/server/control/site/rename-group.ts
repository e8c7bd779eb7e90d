import { DEFAULT_GROUP } from '#contract/codes.ts';
import { optionsWithGroups } from '#contract/options/groups-named.ts';
import { GROUP_RENAMED } from '#contract/price-book.ts';
import type { Clock } from '#core/clock.ts';
import type { LogStore } from '#core/log/log-store.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { PriceBookStore } from '#core/price-book/price-book-store.ts';
import type { GroupStore, RenamedGroup } from '#core/token/group-store.ts';
import type { Renaming } from '#core/token/renamed-group.ts';
import { logAction } from '../log-action.ts';
import { refuse } from '../refuse.ts';
import { type OptionEditor, requireMaySet } from './options.ts';

export interface RenameGroupDeps {
  readonly groups: GroupStore;
  readonly priceBook: Pick<PriceBookStore, 'needsApproval'>;
  readonly logs: Pick<LogStore, 'append'>;
  /** Applies the change to every later call, on this and other nodes. */
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
}

export type RenameGroup = ReturnType<typeof createRenameGroup>;

/**
 * Renames a group: everything that decides later calls follows at once, what tells of the past keeps the name it had.
 * For whoever may set all options that name groups. Refused while prices need a second person: what this changes has no
 * draft that another admin could look at. Refusals are thrown.
 */
export const createRenameGroup =
  (deps: RenameGroupDeps) =>
  async (editor: OptionEditor, { from, to }: Renaming): Promise<RenamedGroup> => {
    const nowMs = deps.clock.now();
    for (const key of optionsWithGroups) requireMaySet(editor, key, nowMs);
    // This name has a meaning of its own: it is the group of new accounts, and of channels that name none.
    if (from === DEFAULT_GROUP) throw refuse('group_rename_default', { name: from });
    if (await deps.priceBook.needsApproval()) throw refuse('group_rename_approval');
    const { id: authorId, username: author } = editor.user;
    const renamed = await deps.groups.rename(
      { from, to },
      { authorId, author, reason: GROUP_RENAMED, nowMs },
    );
    if (typeof renamed === 'string') throw refuse(`group_rename_${renamed}`, { from, to });
    await deps.refreshRouting();
    const { version, users, tokens, channels } = renamed;
    await logAction(
      deps,
      editor.user,
      storedPhrase('log_group_renamed', { from, to, version, users, tokens, channels }),
    );
    return renamed;
  };
