import { Link } from '@tanstack/react-router';
import { NamedCell } from '../../kit/tables/named-cell.tsx';
import { Copy } from '../../kit/copy.tsx';
import { StatusPill } from '../../kit/status.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { maskKey } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { stateOf, type Code, type CodeState } from './code.ts';

interface CellProps {
  readonly code: Code;
}

export const NameCell = ({ code }: CellProps) => (
  <NamedCell name={code.name}>
    #{code.id} · <TimeText at={code.created_time} />
  </NamedCell>
);

const TONES = { unused: 'ok', disabled: 'muted', used: 'info', expired: 'warn' } as const satisfies Record<
  CodeState,
  string
>;

export const StateCell = ({ code }: CellProps) => {
  const { t } = useTranslation('redemption');
  const state = stateOf(code);
  return <StatusPill tone={TONES[state]}>{t(`state.${state}`)}</StatusPill>;
};

/** The masked code; a click copies it in full. */
export const KeyCell = ({ code }: CellProps) => {
  const { t } = useTranslation('redemption');
  if (code.key === '') return <span className="tone-bad">{t('damaged')}</span>;
  const shown = maskKey(code.key);
  return (
    <Copy value={code.key} shown={shown} mono label={`${t('copyNamed', { name: code.name })}: ${shown}`} />
  );
};

export const ExpiryCell = ({ code }: CellProps) => {
  const { t } = useTranslation('redemption');
  return code.expired_time === 0 ? (
    <span className="tone-muted">{t('never')}</span>
  ) : (
    <TimeText at={code.expired_time} />
  );
};

/** Who redeemed it, and when. */
export const UsedCell = ({ code }: CellProps) => {
  const { t } = useTranslation('redemption');
  if (code.used_user_id === 0) return <span className="tone-muted">{t('nobody')}</span>;
  return (
    <span>
      <Link to="/user" search={{ edit: String(code.used_user_id) }} className="link">
        {code.used_username || t('user', { id: code.used_user_id })}
      </Link>
      <span className="cell-meta">
        <TimeText at={code.redeemed_time} />
      </span>
    </span>
  );
};
