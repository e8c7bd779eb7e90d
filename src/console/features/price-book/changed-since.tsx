import { Notice } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { DiffTable } from './diff-table.tsx';
import type { Change } from './price-changes.ts';

interface ChangedSinceProps {
  readonly changes: readonly Change[];
  readonly tone: 'warn' | 'bad';
  /** What these changes mean for the draft. */
  readonly text: string;
}

/** Changes by others since a draft was made, or looked at. */
export const ChangedSince = ({ changes, tone, text }: ChangedSinceProps) => {
  const { t } = useTranslation('price-book');
  if (changes.length === 0) return null;
  return (
    <section>
      <Notice tone={tone}>{text}</Notice>
      <DiffTable label={t('draft.changes')} diff={changes} />
    </section>
  );
};
