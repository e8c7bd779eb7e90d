import { type ComponentType, useState } from 'react';
import { useTranslation } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';
import { late } from './late.tsx';

interface Part<Props> {
  readonly of: Props;
  readonly onMissing: () => void;
}

/**
 * React's `lazy`, for a section of a form or a card of a page. If its code cannot be loaded, its place says so, with a button that
 * loads it again: an empty section would look as if there were nothing to set.
 */
export const lateSection = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> => {
  const loadPart = async () => {
    const { default: Section } = await load();
    return { default: ({ of }: Part<Props>) => <Section {...of} /> };
  };
  const Section = late(loadPart, ({ onMissing }) => onMissing());
  return (props) => {
    const { t } = useTranslation();
    const [isMissing, setMissing] = useState(false);
    if (!isMissing) return <Section of={props} onMissing={() => setMissing(true)} />;
    return (
      <p className="notice notice-bad late-section" role="alert">
        {t('error.pageMissing')}{' '}
        <Button size="small" onClick={() => setMissing(false)}>
          {t('action.retry')}
        </Button>
      </p>
    );
  };
};
