import { IconArrowDown, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSignal } from '../../lib/browser/signal.ts';
import { toast } from '../../lib/toasts.ts';
import type { Mark } from './best-lanes.ts';
import type { ChatSettings } from './wire/chat-request.ts';
import { MessageList } from './messages/message-list.tsx';
import { ModelPicker } from './settings/model-picker.tsx';
import { type Lane, MOST_LANES, settingsOf, type Talk } from './talk/start-talk.ts';
import type { ModelNote } from './settings/use-model-notes.ts';
import type { OfferedChoices } from './settings/use-offered.ts';
import { useStickToBottom } from './messages/use-stick-to-bottom.ts';

interface LaneViewProps {
  readonly lane: Lane;
  readonly settings: ChatSettings;
  /** Changes with each message sent, and scrolls to its end. */
  readonly sentCount: number;
  /** The head of a lane, if there are several. */
  readonly head: ReactNode;
}

/** The conversation with one model, in a column that scrolls separately. */
export const LaneView = ({ lane, settings, sentCount, head }: LaneViewProps) => {
  const { t } = useTranslation('playground');
  const { box, isAway, toBottom } = useStickToBottom();
  const show = useEffectEvent(toBottom);
  useEffect(() => {
    if (sentCount > 0) show();
  }, [sentCount]);
  return (
    <div className="pg-lane">
      {head}
      <div className="pg-scroll" ref={box} tabIndex={0} role="log" aria-label={t('conversation')}>
        <MessageList chat={lane.chat} settings={settingsOf(lane, settings)} />
      </div>
      {isAway && (
        <span className="pg-latest">
          <IconButton label={t('toLatest')} onClick={toBottom}>
            <IconArrowDown size={17} />
          </IconButton>
        </span>
      )}
    </div>
  );
};

interface LaneHeadProps {
  readonly talk: Talk;
  readonly lane: Lane;
  readonly model: string;
  readonly onModel: (model: string) => void;
  readonly offered: OfferedChoices;
  readonly notes: ReadonlyMap<string, ModelNote>;
  readonly marks: readonly Mark[];
}

/** The model of a lane, what its last answer was best at, and a button that removes the lane. */
export const LaneHead = ({ talk, lane, model, onModel, offered, notes, marks }: LaneHeadProps) => {
  const { t } = useTranslation('playground');
  const at = useSignal(talk.lanes).indexOf(lane) + 1;
  const remove = (): void => {
    const putBack = talk.removeLane(lane);
    const undo = (): void => {
      if (putBack() === 'full') toast('bad', t('compare.full', { model, most: MOST_LANES }));
    };
    toast('info', t('compare.removed', { model }), { label: t('undo'), run: undo });
  };
  return (
    <header className="pg-lane-head">
      <ModelPicker
        bare
        label={t('compare.model', { at })}
        value={model}
        onChange={onModel}
        offered={offered}
        notes={notes}
      />
      {marks.map((mark) => (
        <span key={mark} className="chip tone-ok" data-tip={t(`compare.${mark}Tip`)}>
          {t(`compare.${mark}`)}
        </span>
      ))}
      {lane.model !== '' && (
        <IconButton label={t('compare.remove', { model })} onClick={remove}>
          <IconX size={16} />
        </IconButton>
      )}
    </header>
  );
};
