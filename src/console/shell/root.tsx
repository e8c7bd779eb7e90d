import { Outlet } from '@tanstack/react-router';
import { DialogHost } from '../kit/dialog-host.tsx';
import { Toaster } from '../kit/toaster.tsx';
import { TooltipLayer } from '../kit/tooltip.tsx';

/** Around every page: what floats above all of them. */
export const Root = () => (
  <>
    <Outlet />
    <Toaster />
    <TooltipLayer />
    <DialogHost />
  </>
);
