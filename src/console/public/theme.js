// Sets theme and language before the first paint. A file of its own: the content security policy forbids inline scripts.
(() => {
  const root = document.documentElement;
  let theme = null;
  let language = null;
  try {
    theme = localStorage.getItem('theme');
    language = localStorage.getItem('i18nextLng');
  } catch {
    // Storage may be forbidden; the defaults are fine.
  }
  if (theme !== 'dark' && theme !== 'light')
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset.theme = theme;
  root.dataset.mantineColorScheme = theme;
  if (language === 'en' || language === 'zh') root.lang = language;
  document.querySelector('meta[name=theme-color]').content = theme === 'dark' ? '#0b0c0f' : '#f3f4f6';
})();
