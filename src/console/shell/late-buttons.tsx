import { lazy, Suspense } from 'react';
import { withTexts } from '../lib/i18n.ts';
import { useSignal } from '../lib/signal.ts';
import { NoticeButton } from './notice-button.tsx';
import { keysSheet, usePageKeys } from './page-keys.ts';
import { PaletteButton } from './palette/palette-button.tsx';
import { SiteBadges } from './site-badges.tsx';

const KeysSheet = lazy(withTexts('palette', () => import('./keys-sheet.tsx')));

/** Badges and buttons of the top bar that nobody misses before the page is there, and the keys of every page. */
const LateButtons = ({ hasPalette }: { readonly hasPalette: boolean }) => {
  const isSheetOpen = useSignal(keysSheet);
  usePageKeys();
  return (
    <>
      <SiteBadges />
      {hasPalette && <PaletteButton />}
      <NoticeButton />
      <Suspense>{isSheetOpen && <KeysSheet />}</Suspense>
    </>
  );
};

export default LateButtons;
