import { Link } from '@tanstack/react-router';
import { NamedCell } from '../../kit/tables/named-cell.tsx';
import { GroupChip } from '../../kit/group-chip.tsx';
import { QuotaLeft } from '../../kit/texts/quota-text.tsx';
import { Chip, StatusPill, Switch } from '../../kit/status.tsx';
import {
  formatCount,
  formatExact,
  formatPercent,
  formatQuota,
  formatQuotaExact,
  initialOf,
} from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { askFirst } from './use-user-menu.tsx';
import { switchUser } from './user-calls.ts';
import { mayDo, rankOf, rankTones, stateOf, type User } from './user.ts';

interface CellProps {
  readonly user: User;
}

/** The second line of an account; an address may be longer than its place. */
const moreOf = ({ id, username, display_name: name, email }: CellProps['user']): string =>
  [`#${id}`, name === username ? '' : name, email].filter((part) => part !== '').join(' · ');

export const NameCell = ({ user }: CellProps) => (
  <NamedCell
    name={user.username}
    mark={
      <span className="user-initial" aria-hidden>
        {initialOf(user.display_name || user.username)}
      </span>
    }
  >
    <span data-tip={moreOf(user)}>{moreOf(user)}</span>
  </NamedCell>
);

export const RankCell = ({ user }: CellProps) => {
  const { t } = useTranslation('users');
  const rank = rankOf(user.role);
  return <Chip tone={rankTones[rank]}>{t(`rank.${rank}`)}</Chip>;
};

/** A switch if the viewer may ban the account, otherwise text. */
export const StatusCell = ({ user }: CellProps) => {
  const { t } = useTranslation('users');
  const actor = useSession();
  const state = stateOf(user);
  if (state === 'deleted') return <StatusPill tone="muted">{t('status.deleted')}</StatusPill>;
  const isOn = state === 'enabled';
  // An account with an unknown status cannot be enabled here.
  const maySwitch = mayDo(actor, isOn ? 'disable' : 'enable', user) && state !== 'unknown';
  if (!maySwitch) return <StatusPill tone={isOn ? 'ok' : 'bad'}>{t(`status.${state}`)}</StatusPill>;
  const change = async (wanted: boolean): Promise<void> => {
    if (wanted || (await askFirst(user, 'disable'))) await switchUser(user, wanted);
  };
  return (
    <Switch
      checked={isOn}
      label={t('status.of', { name: user.username })}
      onChange={(wanted) => void change(wanted)}
    >
      <span>{t(`status.${state}`)}</span>
    </Switch>
  );
};

/** Shown for accounts that the viewer's rank does not allow to see. */
const Unseen = () => {
  const { t } = useTranslation('users');
  return (
    <span className="tone-muted" data-tip={t('unseen')} aria-label={t('unseen')} role="img">
      —
    </span>
  );
};

/** The remaining part of all quota ever given. */
export const QuotaCell = ({ user }: CellProps) => {
  const { t } = useTranslation('users');
  if (user.is_private) return <Unseen />;
  const total = user.quota + user.used_quota;
  const part = total === 0 ? 0 : user.used_quota / total;
  const tip = [
    t('quota.left', { units: formatQuotaExact(user.quota) }),
    t('quota.used', { units: formatQuotaExact(user.used_quota) }),
  ].join(' · ');
  return (
    <span className="user-quota" data-tip={tip}>
      <QuotaLeft left={user.quota} used={user.used_quota} />
      <span
        className="user-bar"
        role="img"
        aria-label={t('quota.part', { part: formatPercent(part) })}
        style={{ '--part': `${total === 0 ? 0 : (1 - part) * 100}%` }}
      />
    </span>
  );
};

export const CallsCell = ({ user }: CellProps) =>
  user.is_private ? (
    <Unseen />
  ) : (
    <span className="number" data-tip={formatExact(user.request_count)}>
      {formatCount(user.request_count)}
    </span>
  );

export const GroupCell = ({ user }: CellProps) => <GroupChip name={user.group} />;

export const InviteCell = ({ user }: CellProps) => {
  const { t } = useTranslation('users');
  if (user.is_private) return <Unseen />;
  return (
    <span className="chips">
      <Chip tip={t('invite.countTip')}>{t('invite.count', { count: user.aff_count })}</Chip>
      <Chip tip={t('invite.earnedTip')}>{formatQuota(user.aff_history_quota)}</Chip>
      {user.inviter_id !== 0 && (
        <Link
          to="/user"
          search={{ q: user.inviter_name }}
          className="link truncate"
          data-tip={`${user.inviter_name} #${user.inviter_id}`}
        >
          {t('invite.by', { name: user.inviter_name })}
        </Link>
      )}
    </span>
  );
};
