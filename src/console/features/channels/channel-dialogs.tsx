import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, Suspense } from 'react';
import { readChannel } from '#contract/api/channels/channels.ts';
import { late } from '../../kit/late.tsx';
import { withTexts } from '../../lib/text/i18n.ts';
import { call } from '../../lib/server/api.ts';
import { CLOSING, useDrawerUrl, useUrlState } from '../../lib/browser/url-state.ts';
import type { Channel } from './channel.ts';

export const loadDrawer = withTexts('channel-more', () => import('./form/channel-drawer.tsx'));
const ChannelDrawer = late(loadDrawer);
const ExplainDialog = late(withTexts('channel-routing', () => import('./explain/explain-dialog.tsx')));

/** The dialogs of one channel, by their names in the row's menu. */
const dialogs = {
  bill: late(withTexts('channel-bill', () => import('./bill/bill-dialog.tsx'))),
  evidence: late(withTexts('channel-evidence', () => import('./evidence-dialog.tsx'))),
  keys: late(withTexts('channel-keys', () => import('./keys/keys-dialog.tsx'))),
  seen: late(withTexts('channel-more', () => import('./sightings-dialog.tsx'))),
  test: late(withTexts('channel-more', () => import('./tests/test-dialog.tsx'))),
} as const;

export interface OpenedChannel {
  readonly as: keyof typeof dialogs;
  readonly channel: Channel;
}

interface ChannelDialogsProps {
  readonly opened: OpenedChannel | undefined;
  readonly onClose: () => void;
}

/** The address parameters of the dialog that explains a call. */
const NOTHING_ASKED = Object.fromEntries(
  ['explain', 'user', 'token', 'of', 'in', 'format', 'prompt', 'answer', 'session'].map((name) => [
    name,
    undefined,
  ]),
);

/** A channel's keys, for who comes from elsewhere with only its id. */
const KeysOf = ({
  id,
  ...props
}: { readonly id: number } & Omit<ComponentProps<typeof dialogs.keys>, 'channel'>) => {
  const { data: channel } = useQuery({
    queryKey: ['channel-of-keys', id],
    queryFn: ({ signal }) => call(readChannel, { params: { id } }, signal),
    meta: { isAside: true },
  });
  return channel === undefined ? null : <dialogs.keys channel={channel} isInAddress {...props} />;
};

/**
 * Everything that opens above the list: the form and the explanation by the page's address, and the keys for who comes from
 * elsewhere; the others from a row's menu.
 */
const ChannelDialogs = ({ opened, onClose }: ChannelDialogsProps) => {
  const edit = useDrawerUrl('edit');
  const keys = useDrawerUrl('keys');
  const [url, patchUrl] = useUrlState();
  const Dialog = opened && dialogs[opened.as];
  return (
    <Suspense>
      {edit.id !== undefined && <ChannelDrawer key={`edit ${edit.id}`} from={edit.id} onClose={edit.close} />}
      {url['explain'] !== undefined && (
        <ExplainDialog from={url} onClose={() => patchUrl(NOTHING_ASKED, CLOSING)} />
      )}
      {typeof keys.id === 'number' && <KeysOf key={`keys ${keys.id}`} id={keys.id} onClose={keys.close} />}
      {Dialog && <Dialog channel={opened.channel} onClose={onClose} />}
    </Suspense>
  );
};

export default ChannelDialogs;
