import './palette-button.css';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { loadTexts, useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { useIsPhone } from '../../lib/browser/media.ts';

const Palette = lazy(
  withTexts('palette', async () => {
    const [palette] = await Promise.all([import('./palette.tsx'), loadTexts('settings')]);
    return palette;
  }),
);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button of the command palette, which Ctrl+K or ⌘K opens too. */
export const PaletteButton = () => {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      {isPhone ? (
        <IconButton label={t('palette.open')} onClick={() => setOpen(true)}>
          <IconSearch size={18} stroke={1.7} />
        </IconButton>
      ) : (
        <button type="button" className="palette-open" onClick={() => setOpen(true)}>
          <IconSearch size={15} aria-hidden />
          {t('palette.open')}
          <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      )}
      <Suspense>{isOpen && <Palette onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
};
