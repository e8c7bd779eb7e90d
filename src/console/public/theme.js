// Sets theme and language before the first paint. A file of its own: the content security policy forbids inline scripts.
(() => {
  const root = document.documentElement;
  let theme = null;
  let language = null;
  let isSignedIn = false;
  try {
    theme = localStorage.getItem('theme');
    language = localStorage.getItem('i18nextLng');
    isSignedIn = localStorage.getItem('user') !== null;
  } catch {
    // Storage may be forbidden; the defaults are fine.
  }
  if (theme !== 'dark' && theme !== 'light')
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset.theme = theme;
  if (language === 'en' || language === 'zh') root.lang = language;
  const isEnglish = (language ?? navigator.language).toLowerCase().startsWith('en');
  document.querySelector('meta[name=theme-color]').content = theme === 'dark' ? '#0b0c0f' : '#f3f4f6';

  // The parts of a page, which would be asked for one after the other: of this one, and of those that the router opens.
  const first = JSON.parse(document.getElementById('first-parts').textContent);
  const asked = new Set();
  const askFor = (part) => {
    if (asked.has(part)) return;
    asked.add(part);
    const link = document.createElement('link');
    const isStyle = part.endsWith('.css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = `/assets/${part}${isStyle ? '' : '.js'}`;
    document.head.append(link);
  };
  const path = location.pathname.replace(/(?<=.)\/$/, '');
  const [parts = '', zh = '', en = '', isOwn] = first[path] ?? [];
  if (!isOwn || isSignedIn) `${parts} ${isEnglish ? en : zh}`.split(' ').filter(Boolean).forEach(askFor);
  // Its texts are asked for by the router, which knows the language by then.
  addEventListener('page-asked', ({ detail }) =>
    first[detail]?.[0].split(' ').filter(Boolean).forEach(askFor),
  );

  // Without its scripts the page would stay blank. An upgrade may have replaced them just now: it is loaded once more.
  const say = () => {
    const box = document.createElement('p');
    box.style.cssText = `margin: 20vh auto; text-align: center; font: 15px system-ui; color: ${theme === 'dark' ? '#edeff3' : '#14161b'}`;
    const again = document.createElement('button');
    again.textContent = isEnglish ? 'Reload' : '重新加载';
    again.onclick = () => location.reload();
    box.append(isEnglish ? 'This page did not load completely. ' : '页面没有完整加载。', again);
    document.getElementById('root').replaceChildren(box);
  };
  const loadAgain = () => {
    try {
      const lastMs = Number(sessionStorage.getItem('reloaded-at') ?? 0);
      if (Date.now() - lastMs < 30_000) return say();
      sessionStorage.setItem('reloaded-at', String(Date.now()));
    } catch {
      // Without storage it might be loaded again for ever.
      return say();
    }
    location.reload();
  };
  addEventListener('not-started', loadAgain);
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.type === 'module') loadAgain();
    },
    true,
  );
})();
