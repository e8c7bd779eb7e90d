import { IconPencil } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { readGroupUse } from '#contract/api/site/names.ts';
import { parsed } from '#contract/json-text.ts';
import { isOptionKey } from '#contract/options.ts';
import { groupsNamed, optionsWithGroups } from '#contract/options/groups-named.ts';
import { Button } from '../../kit/button.tsx';
import { late } from '../../kit/late.tsx';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import type { GoneGroup } from '../../shared/groups-gone-dialog.tsx';
import { useGroupsGone } from '../../shared/use-groups-gone.tsx';
import { OptionCard } from './option-card.tsx';
import type { Settings } from './use-settings.ts';

const RenameGroupDialog = late(withTexts('price-form', () => import('./rename-group-dialog.tsx')));

interface GroupsCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

const namesIn = (text: string | undefined): readonly string[] | undefined => {
  const table = parsed(text ?? '{}');
  return typeof table === 'object' && table !== null ? Object.keys(table) : undefined;
};

const isUsed = ({ users, tokens, channels, settings }: GoneGroup): boolean =>
  users + tokens + channels + settings.length > 0;

/** The groups and their ratios. Before a group in use is removed, it says who uses it. */
export const GroupsCard = ({ card, settings }: GroupsCardProps) => {
  const { t } = useTranslation('settings');
  const groupsGone = useGroupsGone();
  const [isRenaming, setRenaming] = useState(false);
  const stillNames = (name: string) => (key: string) =>
    !isOptionKey(key) || !card.keys.includes(key) || groupsNamed(key, settings.text(key)).has(name);
  const mayRemove = async (): Promise<readonly string[] | undefined> => {
    const after = namesIn(settings.text('GroupRatio'));
    // Invalid JSON removes no group; saving it reports the error.
    if (after === undefined) return [];
    const gone = (namesIn(settings.saved.get('GroupRatio')) ?? []).filter((name) => !after.includes(name));
    let groups: readonly GoneGroup[];
    try {
      groups = await Promise.all(
        gone.map(async (name) => ({ name, ...(await call(readGroupUse, { query: { name } })) })),
      );
    } catch (error) {
      toast('bad', messageOf(error));
      return undefined;
    }
    const used = groups.filter(isUsed);
    // What is saved with this no longer names them.
    const left = used.map((group) => ({ ...group, settings: group.settings.filter(stillNames(group.name)) }));
    const shown = left.filter(isUsed);
    if (shown.length > 0 && !(await groupsGone.ask(shown))) return undefined;
    return used.map(({ name }) => name);
  };
  return (
    <>
      <OptionCard
        card={card}
        settings={settings}
        mayRemove={mayRemove}
        actions={
          <Button icon={<IconPencil size={16} />} onClick={() => setRenaming(true)}>
            {t('renameGroup')}
          </Button>
        }
      />
      <Suspense>
        {isRenaming && (
          <RenameGroupDialog
            groups={namesIn(settings.saved.get('GroupRatio')) ?? []}
            isUnsaved={settings.changed(optionsWithGroups).length > 0}
            onClose={() => setRenaming(false)}
          />
        )}
      </Suspense>
      {groupsGone.view}
    </>
  );
};
