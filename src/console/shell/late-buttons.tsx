import { NoticeButton } from './notice-button.tsx';
import { PaletteButton } from './palette-button.tsx';

/** Buttons of the top bar that nobody misses before the page is there. */
const LateButtons = ({ hasPalette }: { readonly hasPalette: boolean }) => (
  <>
    {hasPalette && <PaletteButton />}
    <NoticeButton />
  </>
);

export default LateButtons;
