import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { IconButton } from '../../kit/button.tsx';
import { Menu } from '../../kit/overlays/menu.tsx';
import { type Language, setLanguage, useTranslation } from '../../lib/text/i18n.ts';
import { setTheme, useTheme } from '../../lib/browser/theme.ts';

const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'zh', name: '中文' },
  { id: 'en', name: 'English' },
];

/** Language and theme. */
export const Preferences = () => {
  const { t, language } = useTranslation();
  const theme = useTheme();
  return (
    <>
      <Menu
        label={t('shell.language')}
        items={() =>
          languages.map(({ id, name }) => ({
            label: name,
            checked: language === id,
            run: () => void setLanguage(id),
          }))
        }
      >
        <IconLanguage size={18} stroke={1.7} />
      </Menu>
      <IconButton
        label={theme === 'dark' ? t('shell.toLight') : t('shell.toDark')}
        onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
      >
        {theme === 'dark' ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
      </IconButton>
    </>
  );
};
