import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { createToken, createTokens, readToken, updateToken } from '#contract/api/people/tokens.ts';
import { EditDrawer } from '../../kit/drawers/edit-drawer.tsx';
import { useRefusal } from '../../kit/drawers/use-refusal.ts';
import { FormDrawer, FormSection } from '../../kit/drawers/form-drawer.tsx';
import { useSections } from '../../kit/drawers/use-sections.ts';
import { showFirstError } from '../../lib/browser/show-first-error.ts';
import { call } from '../../lib/server/api.ts';
import { saveOver } from '../../lib/server/changed-meanwhile.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import { AccessFields } from './access-fields.tsx';
import { BasicFields } from './basic-fields.tsx';
import { QuotaFields } from './quota-fields.tsx';
import { createBody, newToken, updateBody, valuesOf, type TokenValues } from './token-form.ts';
import { TOKENS, type Token } from './token.ts';
import { validateToken } from './validate-token.ts';

const SECTIONS = 3;

interface TokenDrawerProps {
  readonly id: number | 'new';
  /** The default name of a new token. */
  readonly firstName: string;
  readonly onClose: () => void;
  /** Called with the new tokens after the drawer has closed. */
  readonly onCreated: (tokens: readonly Token[]) => void;
}

/** The drawer that creates or edits a token. */
const TokenDrawer = ({ id, firstName, onClose, onCreated }: TokenDrawerProps) => {
  const { t } = useTranslation('tokens');
  return (
    <EditDrawer
      name="token"
      id={id}
      title={t('title')}
      read={(known, signal) => call(readToken, { params: { id: known } }, signal)}
      onClose={onClose}
      form={(before) => (
        <TokenForm before={before} firstName={firstName} onClose={onClose} onCreated={onCreated} />
      )}
    />
  );
};

type TokenFormProps = Omit<TokenDrawerProps, 'id'> & { readonly before: Token | undefined };

const TokenForm = ({ before, firstName, onClose, onCreated }: TokenFormProps) => {
  const { t } = useTranslation('tokens');
  const newest = useRef(before);
  const usesAutoGroup = useSiteStatus()?.default_use_auto_group === true;
  const initialValues = before === undefined ? newToken(usesAutoGroup, firstName) : valuesOf(before);
  const form = useForm<TokenValues>({
    initialValues,
    validate: (values) => validateToken(values, { before: before && initialValues, nowMs: Date.now() }, t),
  });
  const save = useAction({
    run: async (values: TokenValues): Promise<readonly Token[]> => {
      if (before !== undefined) {
        await saveOver(
          newest,
          (shown = before) => call(updateToken, { body: updateBody(before, values, shown) }),
          () => call(readToken, { params: { id: before.id } }),
        );
        return [];
      }
      const count = values.count ?? 1;
      const body = createBody(values);
      return count === 1
        ? [await call(createToken, { body })]
        : await call(createTokens, { body: { ...body, count } });
    },
    refresh: [TOKENS],
    quiet: true,
  });
  const finish = (made: readonly Token[]): void => {
    onClose();
    if (made.length === 0) toast('ok', t('form.saved'));
    else onCreated(made);
  };
  const sections = useSections(SECTIONS);
  const refusal = useRefusal(form, save.error);
  const submit = form.onSubmit((values) => save.mutate(values, { onSuccess: finish }), showFirstError);

  return (
    <FormDrawer
      title={before === undefined ? t('form.create') : t('form.edit', { name: before.name })}
      onClose={onClose}
      onSubmit={() => submit()}
      isDirty={form.isDirty()}
      isSaving={save.isPending}
      width={600}
      error={refusal}
      {...(before === undefined ? { saveLabel: t('form.submit') } : {})}
    >
      <FormSection title={t('form.section.basic')}>
        <BasicFields form={form} isNew={before === undefined} />
      </FormSection>
      {sections > 1 && (
        <FormSection title={t('form.section.quota')}>
          <QuotaFields form={form} />
        </FormSection>
      )}
      {sections > 2 && (
        <FormSection title={t('form.section.access')}>
          <AccessFields form={form} />
        </FormSection>
      )}
    </FormDrawer>
  );
};

export default TokenDrawer;
