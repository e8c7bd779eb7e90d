import './mantine.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { createContext, useContext, type ReactNode } from 'react';
import { useTheme } from '../lib/browser/theme.ts';

const Inside = createContext(false);
/** Mantine would hide the page's scrollbar by adding a style sheet, so the browser would restyle the whole page twice. */
const ABOVE_THE_PAGE = { defaultProps: { removeScrollProps: { removeScrollBar: false } } };
const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    DrawerRoot: ABOVE_THE_PAGE,
    ModalRoot: ABOVE_THE_PAGE,
  },
});

/**
 * The provider of Mantine's components. Each kit component that uses Mantine includes it, so that other pages do not
 * load it. The variables are static CSS; nothing is injected.
 */
export const MantineScope = ({ children }: { readonly children: ReactNode }) => {
  const isInside = useContext(Inside);
  const scheme = useTheme();
  if (isInside) return children;
  return (
    <Inside value={true}>
      <MantineProvider
        theme={theme}
        forceColorScheme={scheme}
        withCssVariables={false}
        withStaticClasses
        withGlobalClasses={false}
      >
        {children}
      </MantineProvider>
    </Inside>
  );
};
