import './palette-button.css';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { IconButton } from '../../kit/button.tsx';
import { loadTexts, useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { useIsPhone } from '../../lib/browser/media.ts';

const Palette = late(
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
  /** What had the focus when the palette was opened. */
  const [opener, setOpener] = useState<Element | null>();
  /** What was typed before the palette was there. */
  const [typed, setTyped] = useState('');
  const open = (): void => {
    setOpener(document.activeElement);
    setTyped('');
  };
  const close = (): void => {
    setOpener(undefined);
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
  const toggle = useEffectEvent(() => (opener === undefined ? open() : close()));
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      {isPhone ? (
        <IconButton label={t('palette.open')} onClick={open}>
          <IconSearch size={18} stroke={1.7} />
        </IconButton>
      ) : (
        <button type="button" className="palette-open" onClick={open}>
          <IconSearch size={15} aria-hidden />
          {t('palette.open')}
          <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      )}
      {opener !== undefined && (
        <Suspense
          fallback={
            // Takes what is typed while the palette is loading: the letters would be shortcuts of the page behind it.
            <input
              className="palette-early"
              aria-label={t('palette.open')}
              autoFocus
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && close()}
            />
          }
        >
          <Palette startsWith={typed} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
