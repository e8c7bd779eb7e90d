// Here before it is needed: when nothing can be loaded.
import '../kit/dialogs/native-ask.tsx';
import { late } from '../kit/late.tsx';
import { Suspense } from 'react';
import { withTexts } from '../lib/text/i18n.ts';
import { useSignal } from '../lib/browser/signal.ts';
import { NoticeButton } from './notices/notice-button.tsx';
import { keysSheet, usePageKeys } from './shortcuts/page-keys.ts';
import { useScrollKeys } from './shortcuts/scroll-keys.ts';
import { PaletteButton } from './palette/palette-button.tsx';
import { SiteBadges } from './menus/site-badges.tsx';

const KeysSheet = late(
  withTexts('palette', () => import('./shortcuts/keys-sheet.tsx')),
  () => keysSheet.set(false),
);

/** Parts of the top bar that load after the page, and the shortcuts of every page. */
const LateButtons = ({ hasPalette }: { readonly hasPalette: boolean }) => {
  const isSheetOpen = useSignal(keysSheet);
  usePageKeys();
  useScrollKeys();
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
