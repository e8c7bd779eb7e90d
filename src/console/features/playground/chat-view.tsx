import { IconAdjustmentsHorizontal, IconArrowDown } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../kit/button.tsx';
import { classNames } from '../../kit/class-names.ts';
import { Notice } from '../../kit/states.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { useIsPhone } from '../../lib/media.ts';
import { useSignal } from '../../lib/signal.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { ChatMenu } from './chat-menu.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import type { Chat } from './start-chat.ts';
import { useChatSettings } from './use-chat-settings.ts';
import { type OfferedChoices, useOffered } from './use-offered.ts';
import { usePictures } from './use-pictures.ts';
import { useStickToBottom } from './use-stick-to-bottom.ts';

const RawDialog = lazy(() => import('./raw-dialog.tsx'));

/** The conversation with its composer, and the settings panel; on phones the panel is behind a button. */
export const ChatView = ({ chat, userId }: { readonly chat: Chat; readonly userId: number }) => {
  const { t } = useTranslation('playground');
  const isPhone = useIsPhone();
  const [isPanelOpen, setPanelOpen] = useState(false);
  const offered = useOffered();
  const groups = offered.groups.map((choice) => choice.value);
  const [{ model: wanted }, patch] = useUrlState();
  const [settings, change] = useChatSettings(userId, { groups, models: offered.models }, wanted);
  // Chosen once: what is chosen after is not overruled by the link one came by.
  useEffect(() => {
    if (wanted !== undefined) patch({ model: undefined }, { replace: true });
  }, [wanted, patch]);
  const { box, isAway, toBottom } = useStickToBottom();
  const pictures = usePictures();
  const isShown = !isPhone || isPanelOpen;

  return (
    <div className="playground">
      <h1 className="hidden-visually">{t('title')}</h1>
      {isPhone && (
        <div className="pg-bar">
          <span className="mono truncate">{settings.model}</span>
          <ChatMenu chat={chat} />
          <IconButton
            label={t('panel.label')}
            pressed={isPanelOpen}
            aria-expanded={isPanelOpen}
            onClick={() => setPanelOpen(!isPanelOpen)}
          >
            <IconAdjustmentsHorizontal size={18} />
          </IconButton>
        </div>
      )}
      <section
        className={classNames('pg-chat', pictures.isOver && 'pg-drop')}
        aria-label={t('chat')}
        {...pictures.dropTarget}
      >
        {!isPhone && (
          <div className="pg-tools">
            <ChatMenu chat={chat} />
          </div>
        )}
        <div className="pg-scroll" ref={box} tabIndex={0} role="log" aria-label={t('conversation')}>
          <MessageList chat={chat} settings={settings} />
        </div>
        {isAway && (
          <span className="pg-latest">
            <IconButton label={t('toLatest')} onClick={toBottom}>
              <IconArrowDown size={17} />
            </IconButton>
          </span>
        )}
        <OfferProblem offered={offered} />
        <Composer chat={chat} settings={settings} pictures={pictures} onSent={toBottom} />
      </section>
      <Watched chat={chat} />
      {isShown && <SettingsPanel chat={chat} settings={settings} onChange={change} offered={offered} />}
    </div>
  );
};

/** The dialog with a reply's raw request and response. */
const Watched = ({ chat }: { readonly chat: Chat }) => {
  const exchange = useSignal(chat.watched);
  if (exchange === undefined) return null;
  return (
    <Suspense>
      <RawDialog exchange={exchange} onClose={() => chat.watched.set(undefined)} />
    </Suspense>
  );
};

/** The server's error if groups or models could not be loaded. */
const OfferProblem = ({ offered }: { readonly offered: OfferedChoices }) => {
  const { t } = useTranslation('playground');
  if (offered.error === null) return null;
  return (
    <div className="pg-problem">
      <Notice tone="bad">
        {messageOf(offered.error)}{' '}
        <button type="button" className="link" onClick={offered.retry}>
          {t('retry')}
        </button>
      </Notice>
    </div>
  );
};
