import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { createRedemptions, readRedemption, updateRedemption } from '#contract/api/wallet/redemptions.ts';
import { REDEMPTION_BATCH_MAX, REDEMPTION_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { EditDrawer } from '../../kit/drawers/edit-drawer.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { DOLLAR_PICKS } from '../../kit/fields/dollar-picks.ts';
import { QuotaField } from '../../kit/fields/quota-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { TimeField } from '../../kit/fields/time-field.tsx';
import { useRefusal } from '../../kit/drawers/use-refusal.ts';
import { FormDrawer } from '../../kit/drawers/form-drawer.tsx';
import { showFirstError } from '../../lib/browser/show-first-error.ts';
import { call } from '../../lib/server/api.ts';
import { saveOver } from '../../lib/server/changed-meanwhile.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { createBody, newCode, updateBody, validateCode, valuesOf, type CodeValues } from './code-form.ts';
import { CODES, type Code } from './code.ts';

/** The codes just created. */
export interface MadeCodes {
  readonly name: string;
  readonly keys: readonly string[];
}

interface CodeDrawerProps {
  readonly id: number | 'new';
  readonly onClose: () => void;
  readonly onMade: (made: MadeCodes) => void;
}

/** The drawer that creates or edits redemption codes. */
const CodeDrawer = ({ id, onClose, onMade }: CodeDrawerProps) => {
  const { t } = useTranslation('redemption');
  return (
    <EditDrawer
      name="redemption"
      id={id}
      title={t('title')}
      read={(known, signal) => call(readRedemption, { params: { id: known } }, signal)}
      onClose={onClose}
      form={(before) => <CodeForm before={before} onClose={onClose} onMade={onMade} />}
    />
  );
};

type CodeFormProps = Omit<CodeDrawerProps, 'id'> & { readonly before: Code | undefined };

const CodeForm = ({ before, onClose, onMade }: CodeFormProps) => {
  const { t } = useTranslation('redemption');
  const newest = useRef(before);
  const old = before && valuesOf(before);
  const form = useForm<CodeValues>({
    initialValues: old ?? newCode,
    validate: (values) => validateCode(values, { before: old, nowMs: Date.now() }, t),
  });
  const save = useAction({
    run: async (values: CodeValues): Promise<MadeCodes> => {
      if (before === undefined) {
        const body = createBody(values);
        return { name: body.name, keys: await call(createRedemptions, { body }) };
      }
      await saveOver(
        newest,
        (shown = before) => call(updateRedemption, { body: updateBody(before, values, shown) }),
        () => call(readRedemption, { params: { id: before.id } }),
      );
      return { name: '', keys: [] };
    },
    refresh: [CODES],
    quiet: true,
  });
  const finish = (made: MadeCodes): void => {
    onClose();
    if (made.keys.length === 0) toast('ok', t('form.saved'));
    else onMade(made);
  };
  const refusal = useRefusal(form, save.error, { expired_time: 'expires' });
  const submit = form.onSubmit((values) => save.mutate(values, { onSuccess: finish }), showFirstError);
  return (
    <FormDrawer
      title={before === undefined ? t('form.create') : t('form.edit', { name: before.name })}
      onClose={onClose}
      onSubmit={() => submit()}
      isDirty={form.isDirty()}
      isSaving={save.isPending}
      width={560}
      error={refusal}
      {...(before === undefined ? { saveLabel: t('form.submit') } : {})}
    >
      <TextField
        label={t('form.name')}
        placeholder={t('form.namePlaceholder')}
        hint={before === undefined ? t('form.nameHint') : undefined}
        required={before !== undefined}
        autoFocus
        maxLength={REDEMPTION_NAME_MAX_LENGTH}
        {...form.getInputProps('name')}
      />
      <QuotaField
        label={t('form.quota')}
        required
        dollarPresets={DOLLAR_PICKS}
        {...form.getInputProps('quota')}
      />
      {before === undefined && (
        <NumberField
          label={t('form.count')}
          hint={t('form.countHint')}
          required
          min={1}
          max={REDEMPTION_BATCH_MAX}
          {...form.getInputProps('count')}
        />
      )}
      <TimeField label={t('form.expires')} hint={t('form.expiresHint')} {...form.getInputProps('expires')} />
    </FormDrawer>
  );
};

export default CodeDrawer;
