import type { readGroupUse } from '#contract/api/site/names.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { SmallTable } from '../kit/tables/small-table.tsx';
import { formatExact, listed } from '../lib/text/format.ts';
import { useTranslation } from '../lib/text/i18n.ts';

/** A group that will be removed, and what uses it. */
export type GoneGroup = Data<typeof readGroupUse> & { readonly name: string };

interface GroupsGoneDialogProps {
  readonly groups: readonly GoneGroup[];
  readonly onAnswer: (isSure: boolean) => void;
}

/** The users and channels that lose their group, with links to where they can be moved first. */
const GroupsGoneDialog = ({ groups, onAnswer }: GroupsGoneDialogProps) => {
  const { t } = useTranslation('price-form');
  const settings = new Set(groups.flatMap((group) => group.settings));
  // In a new tab, so that input here is kept.
  const linked = (count: number, page: 'user' | 'channel', group: string) =>
    count === 0 ? (
      '0'
    ) : (
      <a
        className="link"
        href={`/${page}?group=${encodeURIComponent(group)}`}
        target="_blank"
        rel="noreferrer"
      >
        {formatExact(count)}
      </a>
    );
  return (
    <Dialog
      title={t('groupsGone.title')}
      width={560}
      onClose={() => onAnswer(false)}
      foot={
        <>
          <Button onClick={() => onAnswer(false)}>{t('groupsGone.keep')}</Button>
          <Button variant="danger" onClick={() => onAnswer(true)}>
            {t('groupsGone.remove')}
          </Button>
        </>
      }
    >
      <p>{t('groupsGone.text')}</p>
      <SmallTable
        label={t('groupsGone.title')}
        columns={[
          { title: t('groupsGone.group') },
          { title: t('groupsGone.users'), align: 'end' },
          { title: t('groupsGone.tokens'), align: 'end' },
          { title: t('groupsGone.channels'), align: 'end' },
        ]}
        rows={groups.map(({ name, users, tokens, channels }) => ({
          id: name,
          cells: [name, linked(users, 'user', name), formatExact(tokens), linked(channels, 'channel', name)],
        }))}
      />
      {settings.size > 0 && <p>{t('groupsGone.settings', { names: listed([...settings]) })}</p>}
      <p className="meta">{t('groupsGone.move')}</p>
    </Dialog>
  );
};

export default GroupsGoneDialog;
