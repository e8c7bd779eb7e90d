import { Suspense, useState, type ReactNode } from 'react';
import { late } from '../../kit/late.tsx';
import { useBatch } from '../../kit/tables/batch-progress.tsx';
import { withTexts } from '../../lib/text/i18n.ts';
import type { Channel } from './channel.ts';

const BatchButtons = late(withTexts('channel-more', () => import('./batch-buttons.tsx')));
const TagDialog = late(withTexts('channel-more', () => import('./tags/tag-dialog.tsx')));

interface ChannelBatch {
  /** The buttons for the selected rows. */
  readonly buttons: (rows: readonly Channel[], clear: () => void) => ReactNode;
  /** The progress. */
  readonly view: ReactNode;
}

/** Enabling, disabling, testing, tagging and deleting many channels. */
export const useChannelBatch = (): ChannelBatch => {
  const batch = useBatch();
  const [tagged, setTagged] = useState<readonly Channel[]>();
  return {
    view: (
      <>
        {batch.view}
        <Suspense>
          {tagged !== undefined && <TagDialog channels={tagged} onClose={() => setTagged(undefined)} />}
        </Suspense>
      </>
    ),
    buttons: (rows, clear) => (
      <Suspense>
        <BatchButtons rows={rows} clear={clear} batch={batch} onTag={setTagged} />
      </Suspense>
    ),
  };
};
