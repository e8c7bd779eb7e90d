import { useRef, useState } from 'react';
import { CHANNEL_TAG_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { messageOf } from '../../../lib/server/api-error.ts';
import { saveOver } from '../../../lib/server/changed-meanwhile.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { CHANNEL_TAGS, CHANNELS, type Channel } from '../channel.ts';
import { tagMany } from '../channel-work.ts';

interface TagDialogProps {
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}

/** Gives the chosen channels a tag. */
const TagDialog = ({ channels, onClose }: TagDialogProps) => {
  const { t } = useTranslation('channel-more');
  const [tag, setTag] = useState('');
  const [problem, setProblem] = useState<string>();
  const shown = useRef(channels);
  const save = useAction({
    run: (wanted: string | null) =>
      saveOver(
        shown,
        (seen) => tagMany(channels, wanted, seen),
        // After a refusal, saving again replaces what others gave them.
        () => Promise.resolve([]),
      ),
    refresh: [CHANNELS, CHANNEL_TAGS],
    quiet: true,
  });
  const submit = (wanted: string | null): void => {
    if (channels.length === 0) setProblem(t('batch.tagNone'));
    else if (wanted === '') setProblem(t('batch.tagEmpty'));
    else {
      save.mutate(wanted, {
        onError: (error) => setProblem(messageOf(error)),
        onSuccess: (count) => {
          toast('ok', t('batch.tagged', { count }));
          onClose();
        },
      });
    }
  };
  const foot = (
    <>
      <span className="drawer-extra">
        <Button onClick={() => submit(null)}>{t('batch.untag')}</Button>
      </span>
      <Button variant="primary" onClick={() => submit(tag.trim())}>
        {t('batch.setTag')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('batch.tagTitle', { count: channels.length })} width={460} onClose={onClose} foot={foot}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(tag.trim());
        }}
      >
        <TextField
          label={t('form.tag')}
          value={tag}
          onChange={(text) => {
            setTag(text);
            setProblem(undefined);
          }}
          maxLength={CHANNEL_TAG_MAX_LENGTH}
          autoFocus
          error={problem}
        />
      </form>
    </Dialog>
  );
};

export default TagDialog;
