import './log-detail.css';
import { useQuery } from '@tanstack/react-query';

import { readUser } from '#contract/api/people/users.ts';
import type { Data } from '#contract/endpoint.ts';
import { Fact } from '../../kit/fact.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { GroupChip } from '../../kit/group-chip.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { formatExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

interface UserDialogProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** The account behind a row. */
const UserDialog = ({ id, name, onClose }: UserDialogProps) => {
  const { t } = useTranslation('log-more');
  const query = useQuery({
    queryKey: ['user', id],
    queryFn: ({ signal }) => call(readUser, { params: { id } }, signal),
  });
  return (
    <Dialog title={t('user.title', { name })} width={440} onClose={onClose}>
      {query.data !== undefined && <UserFacts user={query.data} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} />}
    </Dialog>
  );
};

const UserFacts = ({ user }: { readonly user: Data<typeof readUser> }) => {
  const { t } = useTranslation('log-more');
  return (
    <dl className="log-facts log-user-facts">
      <Fact title={t('user.username')}>
        <Copy value={user.username} />
      </Fact>
      <Fact title="ID">
        <span className="number">{user.id}</span>
      </Fact>
      {user.display_name !== '' && <Fact title={t('user.displayName')}>{user.display_name}</Fact>}
      {user.email !== '' && (
        <Fact title={t('user.email')}>
          <Copy value={user.email} />
        </Fact>
      )}
      <Fact title={t('user.group')}>
        <GroupChip name={user.group} />
      </Fact>
      <Fact title={t('user.quota')}>
        <QuotaText units={user.quota} />
      </Fact>
      <Fact title={t('user.used')}>
        <QuotaText units={user.used_quota} />
      </Fact>
      <Fact title={t('user.calls')}>
        <span className="number">{formatExact(user.request_count)}</span>
      </Fact>
    </dl>
  );
};

export default UserDialog;
