import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { createToken, createTokens, readToken, updateToken } from '#contract/api/tokens.ts';
import { FormDrawer, FormSection } from '../../kit/form-drawer.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useAction } from '../../lib/query.ts';
import { useSiteStatus } from '../../lib/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import { AccessFields } from './access-fields.tsx';
import { BasicFields } from './basic-fields.tsx';
import { QuotaFields } from './quota-fields.tsx';
import { createBody, newToken, updateBody, valuesOf, type TokenValues } from './token-form.ts';
import { TOKENS, type Token } from './token.ts';
import { validateToken } from './validate-token.ts';

interface TokenDrawerProps {
  readonly id: number | 'new';
  readonly onClose: () => void;
  /** Called with what was made, after the drawer was closed. */
  readonly onCreated: (tokens: readonly Token[]) => void;
}

/** Making and changing a token. */
const TokenDrawer = ({ id, onClose, onCreated }: TokenDrawerProps) => {
  const { t } = useTranslation('tokens');
  const query = useQuery({
    queryKey: ['token', id],
    queryFn: ({ signal }) => call(readToken, { params: { id } }, signal),
    enabled: id !== 'new',
    // A form is filled once, with what the server has now.
    staleTime: 0,
    gcTime: 0,
  });
  if (id === 'new') return <TokenForm onClose={onClose} onCreated={onCreated} />;
  if (query.data !== undefined && !query.isFetching) {
    return <TokenForm before={query.data} onClose={onClose} onCreated={onCreated} />;
  }
  return (
    <FormDrawer
      title={t('title')}
      isOpen
      onClose={onClose}
      onSubmit={() => undefined}
      isDirty={false}
      isSaving={false}
    >
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        Array.from({ length: 6 }, (_, at) => (
          <Skeleton key={at} height={at % 2 === 0 ? 14 : 34} width={at % 2 === 0 ? 120 : '100%'} />
        ))
      )}
    </FormDrawer>
  );
};

type TokenFormProps = Omit<TokenDrawerProps, 'id'> & { readonly before?: Token };

const TokenForm = ({ before, onClose, onCreated }: TokenFormProps) => {
  const { t } = useTranslation('tokens');
  const usesAutoGroup = useSiteStatus()?.default_use_auto_group === true;
  const initialValues = before === undefined ? newToken(usesAutoGroup) : valuesOf(before);
  const form = useForm<TokenValues>({
    initialValues,
    validate: (values) => validateToken(values, { before: before && initialValues, nowMs: Date.now() }, t),
  });
  const save = useAction({
    run: async (values: TokenValues): Promise<readonly Token[]> => {
      if (before !== undefined) {
        await call(updateToken, { body: updateBody(before, values) });
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
  const submit = form.onSubmit((values) => save.mutate(values, { onSuccess: finish }), showFirstError);

  return (
    <FormDrawer
      title={before === undefined ? t('form.create') : t('form.edit', { name: before.name })}
      isOpen
      onClose={onClose}
      onSubmit={() => submit()}
      isDirty={form.isDirty()}
      isSaving={save.isPending}
      width={600}
      error={save.isError ? messageOf(save.error) : undefined}
      {...(before === undefined ? { saveLabel: t('form.submit') } : {})}
    >
      <FormSection title={t('form.section.basic')}>
        <BasicFields form={form} isNew={before === undefined} />
      </FormSection>
      <FormSection title={t('form.section.quota')}>
        <QuotaFields form={form} />
      </FormSection>
      <FormSection title={t('form.section.access')}>
        <AccessFields form={form} />
      </FormSection>
    </FormDrawer>
  );
};

/** The field with the first error may be scrolled away: bring it back and into focus. */
const showFirstError = (): void => {
  setTimeout(() => {
    const wrong = document.querySelector<HTMLElement>(
      '.drawer [aria-invalid=true], .drawer [data-error] input',
    );
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  }, 30);
};

export default TokenDrawer;
