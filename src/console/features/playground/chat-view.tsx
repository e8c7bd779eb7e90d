import { IconAdjustmentsHorizontal, IconColumnInsertRight, IconHistory } from '@tabler/icons-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { IconButton } from '../../kit/button.tsx';
import { classNames } from '../../kit/class-names.ts';
import { Notice } from '../../kit/states.tsx';
import { messageOf } from '../../lib/server/api-error.ts';
import { useIsPhone } from '../../lib/browser/media.ts';
import { useSignal } from '../../lib/browser/signal.ts';
import { toast } from '../../lib/toasts.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { ChatMenu } from './chat-menu.tsx';
import { Composer } from './composer/composer.tsx';
import { Lanes } from './lanes.tsx';
import { SettingsPanel } from './settings/settings-panel.tsx';
import type { Chat } from './talk/start-chat.ts';
import { MOST_LANES, type Talk } from './talk/start-talk.ts';
import { useChatSettings } from './settings/use-chat-settings.ts';
import { useModelNotes } from './settings/use-model-notes.ts';
import { type OfferedChoices, useOffered } from './settings/use-offered.ts';
import { usePictures } from './composer/use-pictures.ts';

const RawDialog = late(() => import('./wire/raw-dialog.tsx'));
const TalksDialog = late(() => import('./talk/talks-dialog.tsx'));

interface ChatViewProps {
  readonly talk: Talk;
  readonly userId: number;
  /** Opens another conversation; without an id a new one. */
  readonly onOpen: (talkId?: string) => void;
}

/** The settings panel, and the conversation with its composer; on phones the panel is behind a button. */
export const ChatView = ({ talk, userId, onOpen }: ChatViewProps) => {
  const { t } = useTranslation('playground');
  const isPhone = useIsPhone();
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [sentCount, setSentCount] = useState(0);
  const offered = useOffered();
  const groups = offered.groups?.map((choice) => choice.value);
  const [settings, change] = useChatSettings(userId, { groups, models: offered.models });
  const notes = useModelNotes(settings.group);
  const pictures = usePictures();
  const tools = (
    <ChatTools talk={talk} userId={userId} model={settings.model} offered={offered} onOpen={onOpen} />
  );
  const isModelTaken = useModelOfAddress(offered, (model) => change({ model }));

  return (
    <div className="playground">
      <h1 className="hidden-visually">{t('title')}</h1>
      {isPhone && (
        <div className="pg-bar">
          <span className="mono truncate">{settings.model}</span>
          {tools}
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
      {(!isPhone || isPanelOpen) && (
        <SettingsPanel talk={talk} settings={settings} onChange={change} offered={offered} notes={notes} />
      )}
      <section
        className={classNames('pg-chat', pictures.isOver && 'pg-drop')}
        aria-label={t('chat')}
        {...pictures.dropTarget}
      >
        {!isPhone && <div className="pg-tools">{tools}</div>}
        <Lanes
          talk={talk}
          settings={settings}
          onModel={(model) => change({ model })}
          offered={offered}
          notes={notes}
          sentCount={sentCount}
        />
        <OfferProblem offered={offered} />
        <Composer
          talk={talk}
          settings={settings}
          isSettled={!offered.isLoading && isModelTaken}
          pictures={pictures}
          onSent={() => setSentCount(sentCount + 1)}
        />
      </section>
      {useSignal(talk.lanes).map(({ id, chat }) => (
        <Watched key={id} chat={chat} />
      ))}
    </div>
  );
};

/** Selects the model of `?model=` if it is offered. Returns whether that is done. */
const useModelOfAddress = ({ models }: OfferedChoices, choose: (model: string) => void): boolean => {
  const { t } = useTranslation('playground');
  const [{ model = '' }, patch] = useUrlState();
  const isTaken = model === '' || models === undefined;
  const take = useEffectEvent(() => {
    if (models?.includes(model) === true) choose(model);
    else toast('bad', t('panel.notOffered', { model }));
    patch({ model: undefined }, { replace: true });
  });
  useEffect(() => {
    if (!isTaken) take();
  }, [isTaken]);
  return isTaken;
};

interface ChatToolsProps extends ChatViewProps {
  readonly model: string;
  readonly offered: OfferedChoices;
}

/** The head: other conversations, adding a model, and actions on the conversation. */
const ChatTools = ({ talk, userId, model, offered, onOpen }: ChatToolsProps) => {
  const { t } = useTranslation('playground');
  const [isListOpen, setListOpen] = useState(false);
  const lanes = useSignal(talk.lanes);
  const addLane = (): void => {
    const taken = new Set(lanes.map((lane) => lane.model || model));
    talk.addLane(offered.models?.find((name) => !taken.has(name)) ?? model);
  };
  return (
    <>
      <IconButton label={t('talks.open')} onClick={() => setListOpen(true)}>
        <IconHistory size={18} />
      </IconButton>
      <IconButton label={t('compare.add')} disabled={lanes.length >= MOST_LANES} onClick={addLane}>
        <IconColumnInsertRight size={18} />
      </IconButton>
      <ChatMenu talk={talk} model={model} onNew={() => onOpen()} onBack={() => onOpen(talk.id)} />
      <Suspense>
        {isListOpen && (
          <TalksDialog userId={userId} talkId={talk.id} onOpen={onOpen} onClose={() => setListOpen(false)} />
        )}
      </Suspense>
    </>
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
