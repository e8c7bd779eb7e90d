import { useEffect, useRef } from 'react';
import { useSiteStatus } from '../lib/server/site-status.ts';

/** Telegram's widget is a script that replaces itself by a frame. Source: Telegram Login Widget. */
const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22';

/** Telegram's sign-in button. Its answer arrives at our page /oauth/telegram. */
export const TelegramButton = ({ purpose }: { readonly purpose: 'login' | 'bind' }) => {
  const place = useRef<HTMLDivElement>(null);
  const bot = useSiteStatus()?.telegram_bot_name ?? '';
  useEffect(() => {
    const { current } = place;
    if (current === null || bot === '') return undefined;
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    script.dataset['telegramLogin'] = bot;
    script.dataset['size'] = 'large';
    script.dataset['authUrl'] = `${location.origin}/oauth/telegram?purpose=${purpose}`;
    current.append(script);
    return () => current.replaceChildren();
  }, [bot, purpose]);
  return <div ref={place} className="telegram-button" />;
};
