import './usage-links-dialog.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createUsageLink,
  createUserUsageLink,
  deleteUsageLink,
  deleteUserUsageLink,
  listUsageLinks,
  listUserUsageLinks,
  type UsageLink,
} from '#contract/api/people/usage-links.ts';
import { USAGE_LINK_NOTE_MAX } from '#contract/limits.ts';
import { call } from '../lib/server/api.ts';
import { useTranslation } from '../lib/text/i18n.ts';
import { useAction } from '../lib/server/query.ts';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { confirm } from '../kit/dialogs/dialogs.ts';
import { SelectField } from '../kit/fields/select-field.tsx';
import { TextField } from '../kit/fields/text-field.tsx';
import { SmallTable } from '../kit/tables/small-table.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../kit/states.tsx';
import { TimeText } from '../kit/texts/time-text.tsx';
import { DAY_S } from '../lib/text/spans.ts';

const LINKS = 'usage-links';
const DAYS = { never: 0, week: 7, month: 30, year: 365 } as const;
type Ends = keyof typeof DAYS;
const ENDS = Object.keys(DAYS) as Ends[];

interface UsageLinksDialogProps {
  readonly tokenId: number;
  /** Of the token. */
  readonly name: string;
  /** The token's owner if an admin asks; 0 is the reader. */
  readonly userId?: number;
  readonly onClose: () => void;
}

/** The links that show one token's usage to others: created, copied once, revoked. */
const UsageLinksDialog = ({ tokenId, name, userId = 0, onClose }: UsageLinksDialogProps) => {
  const { t } = useTranslation('shared-usage');
  const links = useQuery({
    queryKey: [LINKS, userId, tokenId],
    queryFn: ({ signal }) => {
      const query = { token_id: tokenId };
      return userId === 0
        ? call(listUsageLinks, { query }, signal)
        : call(listUserUsageLinks, { params: { id: userId }, query }, signal);
    },
  });
  return (
    <Dialog title={t('links.title', { name })} width={720} onClose={onClose}>
      <p className="tone-muted">{t('links.about')}</p>
      <NewLink tokenId={tokenId} userId={userId} />
      {links.isError ? (
        <ErrorState error={links.error} onRetry={() => void links.refetch()} />
      ) : links.data === undefined ? (
        <Skeleton height={80} />
      ) : links.data.length === 0 ? (
        <EmptyState text={t('links.empty')} />
      ) : (
        <LinkTable links={links.data} userId={userId} />
      )}
    </Dialog>
  );
};

const NewLink = ({ tokenId, userId }: { readonly tokenId: number; readonly userId: number }) => {
  const { t } = useTranslation('shared-usage');
  const [note, setNote] = useState('');
  const [ends, setEnds] = useState<Ends>('month');
  const make = useAction({
    run: () => {
      const days = DAYS[ends];
      const expired_time = days === 0 ? null : Math.floor(Date.now() / 1000) + days * DAY_S;
      const body = { token_id: tokenId, note, expired_time };
      return userId === 0
        ? call(createUsageLink, { body })
        : call(createUserUsageLink, { params: { id: userId }, body });
    },
    refresh: [LINKS],
  });
  const address = make.data && `${window.location.origin}/shared-usage#${make.data.link}`;
  return (
    <>
      <form
        className="usage-link-form"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate(undefined, { onSuccess: () => setNote('') });
        }}
      >
        <TextField
          label={t('links.note')}
          placeholder={t('links.notePlaceholder')}
          maxLength={USAGE_LINK_NOTE_MAX}
          value={note}
          onChange={setNote}
        />
        <SelectField
          label={t('links.expiry')}
          value={ends}
          onChange={(value) => setEnds(value as Ends)}
          choices={ENDS.map((value) => ({ value, label: t(`links.${value}`) }))}
        />
        <Button type="submit" variant="primary" busy={make.isPending}>
          {t('links.make')}
        </Button>
      </form>
      {address !== undefined && (
        <Notice tone="ok">
          <p>{t('links.made')}</p>
          <p className="usage-link-made">
            <Copy value={address} mono label={t('links.copy')} />{' '}
            <a className="link" href={address} target="_blank" rel="noreferrer">
              {t('links.open')}
            </a>
          </p>
        </Notice>
      )}
    </>
  );
};

interface LinkTableProps {
  readonly links: readonly UsageLink[];
  readonly userId: number;
}

const LinkTable = ({ links, userId }: LinkTableProps) => {
  const { t } = useTranslation('shared-usage');
  const revoke = useAction({
    run: (id: number) =>
      userId === 0
        ? call(deleteUsageLink, { params: { id } })
        : call(deleteUserUsageLink, { params: { id: userId, link_id: id } }),
    done: t('links.revoked'),
    refresh: [LINKS],
  });
  const nameOf = ({ id, note }: UsageLink): string => note || t('links.noNote', { id });
  const askAndRevoke = async (link: UsageLink): Promise<void> => {
    const title = t('links.askTitle', { name: nameOf(link) });
    if (await confirm({ title, text: t('links.askText'), action: t('links.revoke'), danger: true }))
      revoke.mutate(link.id);
  };
  return (
    <SmallTable
      label={t('links.list')}
      columns={[
        { title: t('links.note') },
        { title: t('links.ends') },
        { title: t('links.opened') },
        { title: t('links.revoke'), hidden: true },
      ]}
      rows={links.map((link) => ({
        id: String(link.id),
        cells: [
          link.by_admin ? `${nameOf(link)} (${t('links.byAdmin')})` : nameOf(link),
          link.expired_time === null ? t('links.never') : <TimeText key="ends" at={link.expired_time} />,
          link.opened_time === null ? t('links.notOpened') : <TimeText key="opened" at={link.opened_time} />,
          <Button
            key="revoke"
            size="small"
            aria-label={t('links.revokeOf', { name: nameOf(link) })}
            onClick={() => void askAndRevoke(link)}
          >
            {t('links.revoke')}
          </Button>,
        ],
      }))}
    />
  );
};

export default UsageLinksDialog;
