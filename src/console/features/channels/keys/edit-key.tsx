import { useRef, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { TextAreaField } from '../../../kit/fields/text-area-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { changesWith, saveOver } from '../../../lib/server/changed-meanwhile.ts';
import { useAction } from '../../../lib/server/query.ts';
import { CHANNELS } from '../channel.ts';
import { changeKey, CHANNEL_KEYS, type ChannelKey, type KeyChanges } from './key-calls.ts';

export const KEY_LIMITS = ['calls_per_minute', 'tokens_per_minute', 'concurrent', 'calls_per_day'] as const;

interface EditKeyProps {
  readonly channelId: number;
  readonly of: ChannelKey;
  readonly name: string;
  readonly onClose: () => void;
}

/** Name, limits and proxy of one key, and the key itself, which replaces the old one. */
export const EditKey = ({ channelId, of, name, onClose }: EditKeyProps) => {
  const { t } = useTranslation('channel-keys');
  const [typed, setTyped] = useState<KeyChanges>({});
  const shown = useRef<Partial<ChannelKey>>(of);
  const save = useAction({
    run: () =>
      saveOver(
        shown,
        (row) => changeKey(channelId, of.id, changesWith({ key: '', ...of }, { key: '', ...typed }, row)),
        // No endpoint reads a single key. After a refusal, saving again overwrites the others' changes.
        () => Promise.resolve({}),
      ),
    done: t('saved'),
    refresh: [CHANNEL_KEYS, CHANNELS],
  });
  const write = (changes: KeyChanges): void => setTyped((before) => ({ ...before, ...changes }));
  return (
    <form
      className="keys-edit"
      aria-label={t('editOf', { name })}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined, { onSuccess: onClose });
      }}
    >
      <h3>{t('editOf', { name })}</h3>
      <div className="keys-fields">
        <TextField
          label={t('label')}
          value={typed.label ?? of.label}
          onChange={(label) => write({ label })}
          autoFocus
        />
        <TextField
          label={t('proxy')}
          hint={t('proxyHint')}
          value={typed.proxy ?? of.proxy}
          onChange={(proxy) => write({ proxy })}
        />
        {KEY_LIMITS.map((limit) => (
          <NumberField
            key={limit}
            label={t(`limit.${limit}`)}
            min={0}
            value={(typed[limit] ?? of[limit]) || undefined}
            placeholder={t('unlimited')}
            onChange={(value) => write({ [limit]: value ?? 0 })}
          />
        ))}
      </div>
      <TextAreaField
        label={t('replace')}
        hint={t('replaceHint')}
        rows={2}
        mono
        value={typed.key ?? ''}
        onChange={(key) => write({ key })}
      />
      <div className="keys-buttons">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
};
