import { NoticeButton } from './notice-button.tsx';
import { PaletteButton } from './palette-button.tsx';
import { SiteBadges } from './site-badges.tsx';

/** Badges and buttons of the top bar that nobody misses before the page is there. */
const LateButtons = ({ hasPalette }: { readonly hasPalette: boolean }) => (
  <>
    <SiteBadges />
    {hasPalette && <PaletteButton />}
    <NoticeButton />
  </>
);

export default LateButtons;
