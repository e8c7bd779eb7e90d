import { useState } from 'react';
import { queryClient } from '../../lib/server/query.ts';
import { readStored, store } from '../../lib/browser/stored.ts';
import { ID_SORT_KEY } from './channel-calls.ts';
import { CHANNEL_TAGS, CHANNELS } from './channel.ts';

const TAG_MODE_KEY = 'enable-tag-mode';
const BATCH_KEY = 'enable-batch-delete';

export interface ChannelModes {
  /** Sorted by id, newest first, instead of by priority. */
  readonly isIdSorted: boolean;
  /** Grouped by tag. */
  readonly isByTag: boolean;
  /** Rows can be selected. */
  readonly isBatch: boolean;
  readonly turnIdSort: () => void;
  readonly turnByTag: () => void;
  readonly turnBatch: () => void;
}

const useStoredFlag = (key: string, initial: boolean): readonly [boolean, () => void] => {
  const [isOn, setOn] = useState((readStored(key) ?? String(initial)) === 'true');
  return [
    isOn,
    () => {
      store(key, String(!isOn));
      setOn(!isOn);
    },
  ];
};

/** How the channel list is shown; stored in the browser. */
export const useChannelModes = (): ChannelModes => {
  const [isIdSorted, flipIdSort] = useStoredFlag(ID_SORT_KEY, false);
  const [isByTag, turnByTag] = useStoredFlag(TAG_MODE_KEY, false);
  const [isBatch, turnBatch] = useStoredFlag(BATCH_KEY, true);
  const turnIdSort = (): void => {
    flipIdSort();
    for (const name of [CHANNELS, CHANNEL_TAGS]) void queryClient.invalidateQueries({ queryKey: [name] });
  };
  return { isIdSorted, isByTag, isBatch, turnIdSort, turnByTag, turnBatch };
};
