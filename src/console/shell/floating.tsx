import { DialogHost } from '../kit/dialog-host.tsx';
import { Toaster } from '../kit/toaster.tsx';
import { TooltipLayer } from '../kit/tooltip.tsx';

/** What floats above every page. */
const Floating = () => (
  <>
    <Toaster />
    <TooltipLayer />
    <DialogHost />
  </>
);

export default Floating;
