import { useEffect, useRef } from 'react';
import { newId } from '../lib/browser/new-id.ts';
import { useSiteStatus } from '../lib/server/site-status.ts';

/** Telegram's widget is a script that replaces itself by a frame. Source: Telegram Login Widget. */
const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22';

/** Where this window remembers what it has added to the address that the answer comes to. */
const STATE = 'telegram-state';

/**
 * Whether an answer was asked for in this window, used up by that. Telegram signs no state: somebody could send others a link with
 * an answer about their own account, which would be bound to the account of whoever opens it.
 */
export const takeTelegramState = (state: unknown): boolean => {
  const asked = sessionStorage.getItem(STATE);
  sessionStorage.removeItem(STATE);
  return asked !== null && asked === state;
};

/** Telegram's sign-in button. Its answer arrives at our page /oauth/telegram. */
export const TelegramButton = ({ purpose }: { readonly purpose: 'login' | 'bind' }) => {
  const place = useRef<HTMLDivElement>(null);
  const bot = useSiteStatus()?.telegram_bot_name ?? '';
  useEffect(() => {
    const { current } = place;
    if (current === null || bot === '') return undefined;
    const state = newId();
    sessionStorage.setItem(STATE, state);
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    script.dataset['telegramLogin'] = bot;
    script.dataset['size'] = 'large';
    script.dataset['authUrl'] = `${location.origin}/oauth/telegram?purpose=${purpose}&state=${state}`;
    current.append(script);
    return () => current.replaceChildren();
  }, [bot, purpose]);
  return <div ref={place} className="telegram-button" />;
};
