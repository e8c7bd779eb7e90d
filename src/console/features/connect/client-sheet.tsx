import { DEFAULT_MODEL } from '#contract/codes.ts';
import { IconExternalLink, IconEye, IconEyeOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { LaterSelectField } from '../../kit/fields/later-select-field.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { Notice } from '../../kit/states.tsx';
import { messageOf } from '../../lib/server/api-error.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import type { Shell } from '../../lib/text/quoted.ts';
import type { Client, Site } from './client.ts';
import { ClientMark } from './client-list.tsx';
import { PartView } from './part-view.tsx';
import { suggestModels } from './suggest-models.ts';
import { TestButton } from './test-button.tsx';
import { testCall } from './test-call.ts';
import { keyOf, type Token, useModelsOf, usePrices } from './use-connect.ts';
import { withoutEnd } from '#contract/without-end.ts';

interface ClientSheetProps {
  readonly client: Client;
  readonly tokens: readonly Token[];
  readonly token: Token;
}

/** Setup of one program: token, model, steps, and a test call. */
export const ClientSheet = ({ client, tokens, token }: ClientSheetProps) => {
  const { t } = useTranslation('connect');
  const [url, patch] = useUrlState();
  const status = useSiteStatus();
  const query = useModelsOf(token);
  const models = query.data ?? [];
  const prices = usePrices();
  const suggested = suggestModels(models, prices.data ?? [], client.family);
  const wanted = url['model'] ?? '';
  const model = models.includes(wanted) ? wanted : (suggested?.model ?? DEFAULT_MODEL);
  const contextTokens = prices.data?.find(({ model_name }) => model_name === model)?.context_window;
  const address = withoutEnd(status?.server_address || location.origin, '/');
  const site: Site = {
    address,
    key: keyOf(token),
    model,
    smallModel: suggested?.smallModel ?? model,
    offered: models,
    contextTokens: contextTokens || undefined,
    name: status?.system_name || 'Gateway',
  };
  return (
    <section className="connect-sheet" aria-label={client.name}>
      <div className="field-pair">
        <div className="connect-token">
          <LaterSelectField
            label={t('token')}
            value={String(token.id)}
            choices={tokens.map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))}
            onChange={(id) => patch({ token: id }, { replace: true })}
          />
          <Link to="/token" search={{ edit: 'new', name: client.name }} className="link">
            {t('makeToken')}
          </Link>
        </div>
        <LaterSelectField
          label={t('model')}
          value={model}
          searchable
          choices={(models.length === 0 ? [model] : models).map((name) => ({ value: name, label: name }))}
          onChange={(name) => patch({ model: name }, { replace: true })}
          error={query.isError ? messageOf(query.error) : undefined}
        />
      </div>
      {query.data?.length === 0 && <Notice tone="warn">{t('noModels')}</Notice>}
      <HowTo client={client} site={site} />
      {address !== location.origin && <Notice tone="info">{t('otherAddress', { address })}</Notice>}
      <TestButton key={`${client.id} ${token.id} ${model}`} made={testCall(client.format, site.key, model)} />
    </section>
  );
};

/** Why the program cannot work yet. Never contains the whole key. */
const masked = (key: string): string => `${key.slice(0, 7)}…${key.slice(-4)}`;

const windowsHere = (): Shell => (/Windows/i.test(navigator.userAgent) ? 'powershell' : 'bash');

const HowTo = ({ client, site }: { readonly client: Client; readonly site: Site }) => {
  const { t } = useTranslation('connect');
  const [isShown, setShown] = useState(false);
  const [shell, setShell] = useState<Shell>(windowsHere);
  const parts = client.parts(site);
  const veil = (text: string): string => (isShown ? text : text.replaceAll(site.key, masked(site.key)));
  return (
    <>
      <header className="connect-head">
        <ClientMark client={client} />
        <h2>{client.name}</h2>
        <a className="link" href={client.docs} target="_blank" rel="noreferrer">
          {t('docs')}
          <IconExternalLink size={13} aria-hidden />
        </a>
        <span className="top-space" />
        {parts.some(({ kind }) => kind === 'shell') && (
          <Segmented
            label={t('shell.label')}
            value={shell}
            options={[
              { value: 'bash', label: t('shell.bash') },
              { value: 'powershell', label: t('shell.powershell') },
            ]}
            onChange={setShell}
          />
        )}
        <IconButton
          label={t(isShown ? 'hideKey' : 'showKey')}
          pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <IconEyeOff size={17} /> : <IconEye size={17} />}
        </IconButton>
        {client.link !== undefined && (
          <a className="button" href={client.link(site)} target="_blank" rel="noreferrer">
            {t(client.link(site).startsWith('ccswitch:') ? 'openSwitch' : 'open', { name: client.name })}
          </a>
        )}
      </header>
      {client.note !== undefined && <Notice tone="info">{t(`note.${client.note}`)}</Notice>}
      {parts.map((part, at) => (
        <PartView key={`${client.id} ${at}`} part={part} shell={shell} veil={veil} isFirst={at === 0} />
      ))}
    </>
  );
};
