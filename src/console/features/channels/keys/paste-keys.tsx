import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { TextAreaField } from '../../../kit/fields/text-area-field.tsx';
import { messageOf } from '../../../lib/server/api-error.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { CHANNELS } from '../channel.ts';
import { CHANNEL_KEYS, lookAtKeys, pasteKeys } from './key-calls.ts';
import { listed } from '../../../lib/text/format.ts';

interface PasteKeysProps {
  readonly channelId: number;
  readonly text: string;
  readonly onText: (change: (now: string) => string) => void;
}

/** A box for keys, one per line. Before they are added, it says which of them this channel has, and which others have. */
export const PasteKeys = ({ channelId, text, onText }: PasteKeysProps) => {
  const { t } = useTranslation('channel-keys');
  const [looked, setLooked] = useState('');
  const asked = useDeferredValue(looked);
  const preview = useQuery({
    queryKey: ['channel-keys-preview', channelId, asked],
    queryFn: ({ signal }) => lookAtKeys(channelId, asked, signal),
    enabled: asked !== '',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const add = useAction({
    run: async (sent: string) => {
      toast('ok', t('added', { count: await pasteKeys(channelId, sent) }));
      // What was typed meanwhile stays.
      onText((now) => (now.startsWith(sent) ? now.slice(sent.length).trimStart() : now));
      setLooked('');
    },
    refresh: [CHANNEL_KEYS, CHANNELS],
  });
  const isLooked = asked !== '' && asked === text.trim();
  return (
    <section className="keys-paste">
      <TextAreaField
        label={t('paste')}
        hint={t('pasteHint')}
        rows={4}
        mono
        value={text}
        onChange={(typed) => onText(() => typed)}
        onBlur={() => setLooked(text.trim())}
      />
      <div className="keys-buttons">
        <span className="meta keys-preview" role="status">
          {isLooked && preview.data !== undefined && <Found {...preview.data} />}
          {isLooked && preview.isError && <span className="tone-bad">{messageOf(preview.error)}</span>}
        </span>
        <Button disabled={text.trim() === ''} onClick={() => setLooked(text.trim())}>
          {t('preview')}
        </Button>
        <Button
          variant="primary"
          disabled={text.trim() === ''}
          busy={add.isPending}
          onClick={() => add.mutate(text)}
        >
          {t('add')}
        </Button>
      </div>
    </section>
  );
};

type FoundProps = Awaited<ReturnType<typeof lookAtKeys>>;

const Found = ({ keys, named, repeated, remarks, known, elsewhere }: FoundProps) => {
  const { t } = useTranslation('channel-keys');
  const others = listed(elsewhere.map(({ channel_id: id, keys: count }) => `#${id} (${count})`));
  return [
    t('found.new', { count: keys - known }),
    ...(named > 0 ? [t('found.named', { count: named })] : []),
    ...(known > 0 ? [t('found.known', { count: known })] : []),
    ...(repeated > 0 ? [t('found.repeated', { count: repeated })] : []),
    ...(remarks > 0 ? [t('found.remarks', { count: remarks })] : []),
    ...(others === '' ? [] : [t('found.elsewhere', { channels: others })]),
  ].join(' · ');
};
