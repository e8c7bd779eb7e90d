import { IconArrowUp, IconCode, IconPhoto, IconPlayerStopFilled, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isEnter } from '../../../lib/browser/enter-key.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { IconButton } from '../../../kit/button.tsx';
import { useEscape } from '../../../kit/overlays/use-escape.ts';
import { useSignal } from '../../../lib/browser/signal.ts';
import { type ChatSettings, extraOf } from '../wire/chat-request.ts';
import { settingsOf, type Talk } from '../talk/start-talk.ts';
import { focusToWrite, onScreen } from './focus-composer.ts';
import type { Pictures } from './use-pictures.ts';
import { listed } from '../../../lib/text/format.ts';

interface ComposerProps {
  readonly talk: Talk;
  readonly settings: ChatSettings;
  /** Whether the offered models are known, so that the settings are final. A message waits for it. */
  readonly isSettled: boolean;
  readonly pictures: Pictures;
  readonly onSent: () => void;
}

/** Whether this Enter sends: not with Shift, and not when it picks an input method's candidate. */
export const isSendKey = (event: KeyboardEvent): boolean =>
  isEnter(event) && !event.shiftKey && !onScreen.matches;

/** The message composer. Enter sends, Shift+Enter inserts a line break. */
export const Composer = ({ talk, settings, isSettled, pictures, onSent }: ComposerProps) => {
  const { t } = useTranslation('playground');
  const [text, setText] = useState('');
  const [isDue, setDue] = useState(false);
  const lanes = useSignal(talk.lanes);
  const isRunning = useSignal(talk.isRunning);
  const hasContent = text.trim() !== '' || pictures.urls.length > 0;
  const isExtraGood = extraOf(settings.extra) !== undefined;
  const isReady = hasContent && (settings.model !== '' || !isSettled) && isExtraGood && !isRunning && !isDue;
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => focusToWrite(box.current), []);
  useEscape(talk.stop, isRunning);

  const sendNow = (): void => {
    setDue(false);
    if (settings.model === '') return;
    talk.send(settings, text.trim(), pictures.urls);
    setText('');
    pictures.clear();
    onSent();
  };
  const send = (): void => {
    if (!isReady) return;
    if (isSettled) sendNow();
    else setDue(true);
  };
  const sendDue = useEffectEvent(sendNow);
  useEffect(() => {
    if (!isDue || !isSettled) return undefined;
    const timer = setTimeout(sendDue);
    return () => clearTimeout(timer);
  }, [isDue, isSettled]);
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        focusToWrite(box.current);
        send();
      }}
    >
      <div className="composer-box">
        <WaitingPictures pictures={pictures} />
        <textarea
          className="composer-text"
          ref={box}
          aria-label={t('composer.label')}
          placeholder={t(onScreen.matches ? 'composer.placeholderShort' : 'composer.placeholder')}
          rows={1}
          value={text}
          readOnly={isDue}
          onPaste={pictures.paste}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
        />
        <div className="composer-foot">
          <PicturePicker onPick={pictures.add} />
          <span className="composer-model mono truncate">
            {settings.model === ''
              ? t('composer.noModel')
              : listed(lanes.map((lane) => settingsOf(lane, settings).model))}
          </span>
          {!isExtraGood && <span className="meta tone-bad">{t('panel.extraWrong')}</span>}
          {isRunning && lanes.length === 1 && <LiveButton talk={talk} />}
          {isRunning ? (
            <button
              type="button"
              className="composer-send"
              aria-label={t('composer.stop')}
              data-tip={`${t('composer.stop')} · Esc`}
              onClick={() => {
                focusToWrite(box.current);
                talk.stop();
              }}
            >
              <IconPlayerStopFilled size={15} />
            </button>
          ) : (
            <button
              type="submit"
              className="composer-send"
              aria-label={t('composer.send')}
              aria-busy={isDue || undefined}
              disabled={!isReady}
            >
              <IconArrowUp size={18} />
            </button>
          )}
        </div>
      </div>
    </form>
  );
};

/** Opens the raw exchange of the running reply; it stays open when the reply ends. */
const LiveButton = ({ talk }: { readonly talk: Talk }) => {
  const { t } = useTranslation('playground');
  const watch = (): void => {
    const chat = talk.lanes.get()[0]?.chat;
    chat?.watched.set([...chat.exchanges.values()].at(-1));
  };
  return (
    <IconButton label={t('raw.open')} onClick={watch}>
      <IconCode size={17} />
    </IconButton>
  );
};

const PicturePicker = ({ onPick }: { readonly onPick: (files: Iterable<File>) => void }) => {
  const { t } = useTranslation('playground');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/*"
        onChange={(event) => {
          onPick([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <IconButton label={t('picture.add')} onClick={() => input.current?.click()}>
        <IconPhoto size={18} />
      </IconButton>
    </>
  );
};

const WaitingPictures = ({ pictures }: { readonly pictures: Pictures }) => {
  const { t } = useTranslation('playground');
  if (pictures.urls.length === 0) return null;
  return (
    <ul className="pictures" aria-label={t('picture.list')}>
      {pictures.urls.map((url, at) => (
        <li key={url} className="picture">
          <img src={url} alt={t('picture.named', { at: at + 1 })} />
          <button
            type="button"
            className="picture-remove"
            aria-label={t('picture.remove', { at: at + 1 })}
            onClick={() => pictures.remove(url)}
          >
            <IconX size={13} />
          </button>
        </li>
      ))}
    </ul>
  );
};
