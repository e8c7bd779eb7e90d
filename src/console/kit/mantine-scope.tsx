import './mantine.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { createContext, useContext, type ReactNode } from 'react';
import { useTheme } from '../lib/theme.ts';

const Inside = createContext(false);
const theme = createTheme({ cursorType: 'pointer', respectReducedMotion: true });

/**
 * What Mantine's components need around them. Each kit part made of Mantine brings it along, so that pages which use
 * none do not load it. The variables are static CSS; nothing is injected.
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
