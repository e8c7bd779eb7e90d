import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { messageOf } from '../../lib/server/api-error.ts';
import { formatDuration } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';

interface AttentionRowProps {
  readonly name: string;
  readonly channelId: number;
  /** It is one of the channel's keys: the link leads to those, not to the channel's form. */
  readonly isKey?: boolean;
  /** The problem, and since when it exists. */
  readonly children: ReactNode;
  /** Tests it; resolves to the duration in seconds. */
  readonly test: () => Promise<number>;
  /** The action offered after a successful test. */
  readonly action?: ReactNode;
}

/** Something that calls avoid, with a test whose result is shown in the row. */
export const AttentionRow = ({
  name,
  channelId,
  isKey = false,
  children,
  test: run,
  action,
}: AttentionRowProps) => {
  const { t } = useTranslation('dashboard');
  const test = useAction({ run, quiet: true });
  return (
    <li>
      <span className="attention-what">
        <Link to="/channel" search={{ [isKey ? 'keys' : 'edit']: String(channelId) }}>
          {name}
        </Link>
        <span className="meta">{children}</span>
      </span>
      {test.isSuccess && action}
      <Button
        size="small"
        aria-label={t('attention.testNamed', { name })}
        busy={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('attention.test')}
      </Button>
      <span role="status" className={test.isError || test.isSuccess ? 'attention-result' : 'hidden-visually'}>
        {test.isSuccess && (
          <span className="tone-ok">
            {t('attention.answered', { time: formatDuration(test.data * 1000) })}
          </span>
        )}
        {test.isError && <span className="tone-bad">{messageOf(test.error)}</span>}
      </span>
    </li>
  );
};
