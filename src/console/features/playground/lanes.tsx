import { useEffect, useState } from 'react';
import { useSignal } from '../../lib/browser/signal.ts';
import { bestLanes } from './best-lanes.ts';
import type { ChatSettings } from './wire/chat-request.ts';
import { LaneHead, LaneView } from './lane-view.tsx';
import type { Talk } from './talk/start-talk.ts';
import type { ModelNote } from './settings/use-model-notes.ts';
import type { OfferedChoices } from './settings/use-offered.ts';

interface LanesProps {
  readonly talk: Talk;
  readonly settings: ChatSettings;
  readonly onModel: (model: string) => void;
  readonly offered: OfferedChoices;
  readonly notes: ReadonlyMap<string, ModelNote>;
  readonly sentCount: number;
}

/** The conversation, or one column for each model that is compared. */
export const Lanes = ({ talk, settings, onModel, offered, notes, sentCount }: LanesProps) => {
  const lanes = useSignal(talk.lanes);
  const marks = useMarks(talk);
  return (
    <div className="pg-lanes" data-lanes={lanes.length}>
      {lanes.map((lane, at) => (
        <LaneView
          key={lane.id}
          lane={lane}
          settings={settings}
          sentCount={sentCount}
          head={
            lanes.length > 1 && (
              <LaneHead
                talk={talk}
                lane={lane}
                model={lane.model === '' ? settings.model : lane.model}
                onModel={(model) => (lane.model === '' ? onModel(model) : talk.changeModel(lane, model))}
                offered={offered}
                notes={notes}
                marks={marks[at] ?? []}
              />
            )
          }
        />
      ))}
    </div>
  );
};

/** Computed when a message is added; streaming text does not change the result, so nothing is rendered. */
const useMarks = (talk: Talk): ReturnType<typeof bestLanes> => {
  const [marks, setMarks] = useState<ReturnType<typeof bestLanes>>([]);
  useEffect(() => {
    const look = (): void => {
      const now = bestLanes(talk.lanes.get().map(({ chat }) => chat.items.get()));
      setMarks((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
    };
    return talk.watch(look);
  }, [talk]);
  return marks;
};
