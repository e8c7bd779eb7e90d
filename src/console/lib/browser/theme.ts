import { signal, useSignal } from './signal.ts';
import { store } from './stored.ts';

export type Theme = 'light' | 'dark';

// theme.js has already set it, before the first paint.
const theme = signal<Theme>(document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

/** The current theme; renders again when it changes. */
export const useTheme = (): Theme => useSignal(theme);

/** Switches the page to a theme and stores the choice. */
export const setTheme = (next: Theme): void => {
  store('theme', next);
  document.documentElement.dataset['theme'] = next;
  document
    .querySelector('meta[name=theme-color]')
    ?.setAttribute('content', next === 'dark' ? '#0b0c0f' : '#f3f4f6');
  theme.set(next);
};
