import { readGroupUse } from '#contract/api/site/names.ts';
import { parsed } from '#contract/json-text.ts';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { toast } from '../../lib/toasts.ts';
import type { GoneGroup } from '../../shared/groups-gone-dialog.tsx';
import { useGroupsGone } from '../../shared/use-groups-gone.tsx';
import { OptionCard } from './option-card.tsx';
import type { Settings } from './use-settings.ts';

interface GroupsCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

const namesIn = (text: string | undefined): readonly string[] | undefined => {
  const table = parsed(text ?? '{}');
  return typeof table === 'object' && table !== null ? Object.keys(table) : undefined;
};

/** The groups and their ratios. Before a group in use is removed, it says who uses it. */
export const GroupsCard = ({ card, settings }: GroupsCardProps) => {
  const groupsGone = useGroupsGone();
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
    const used = groups.filter(({ users, tokens, channels }) => users + tokens + channels > 0);
    if (used.length === 0) return [];
    return (await groupsGone.ask(used)) ? used.map(({ name }) => name) : undefined;
  };
  return (
    <>
      <OptionCard card={card} settings={settings} mayRemove={mayRemove} />
      {groupsGone.view}
    </>
  );
};
