import { type ComponentType, lazy, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';

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
  let part: ComponentType<Part<Props>> | undefined;
  const Missing = ({ onMissing }: Part<Props>) => {
    const end = useEffectEvent(() => {
      part = undefined;
      onMissing();
    });
    useEffect(() => end(), []);
    return null;
  };
  const loadPart = async (): Promise<{ default: ComponentType<Part<Props>> }> => {
    try {
      const { default: Section } = await load();
      return { default: ({ of }: Part<Props>) => <Section {...of} /> };
    } catch {
      return { default: Missing };
    }
  };
  const loaded = (): ComponentType<Part<Props>> => (part ??= lazy(loadPart));
  const Loaded = (props: Part<Props>) => {
    const [Section] = useState(loaded);
    return <Section {...props} />;
  };
  return (props) => {
    const { t } = useTranslation();
    const [isMissing, setMissing] = useState(false);
    if (!isMissing) return <Loaded of={props} onMissing={() => setMissing(true)} />;
    return (
      <p className="notice notice-bad" role="alert">
        {t('error.pageMissing')}{' '}
        <Button size="small" onClick={() => setMissing(false)}>
          {t('action.retry')}
        </Button>
      </p>
    );
  };
};
