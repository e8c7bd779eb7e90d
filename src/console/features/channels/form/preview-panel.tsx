import { parsedObject } from '#contract/json-text.ts';
import '../tests/report-view.css';
import { useState } from 'react';
import { previewRequest } from '#contract/api/channels/channel-routing.ts';
import { sampleDialects } from '#contract/sample-calls.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/fields/select-field.tsx';
import { TextAreaField } from '../../../kit/fields/text-area-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { call } from '../../../lib/server/api.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { messageOf } from '../../../lib/server/api-error.ts';
import { formatName } from '../../../lib/text/wire-formats.ts';
import type { ChannelFieldsProps } from './channel-fields.ts';
import { createBody } from './channel-form.ts';
import { leastRequest, type SampleDialect } from '../explain/sample-request.ts';

type Previewed = Data<typeof previewRequest>;

/** Shows what would go out with the form's values; nothing is sent. */
const PreviewPanel = ({ form, before }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-routing');
  const [dialect, setDialect] = useState<SampleDialect>('openai-chat');
  const [group, setGroup] = useState('');
  const [request, setRequest] = useState(leastRequest('openai-chat'));
  const [headers, setHeaders] = useState('');
  const [wrong, setWrong] = useState<'request' | 'headers'>();
  const preview = useAction({
    run: (body: Parameters<typeof askFor>[0]) => askFor(body),
    quiet: true,
  });
  const choose = (next: string): void => {
    const chosen = sampleDialects.find((one) => one === next) ?? 'openai-chat';
    if (request === leastRequest(dialect)) setRequest(leastRequest(chosen));
    setDialect(chosen);
  };
  const show = (): void => {
    const body = parsedObject(request);
    const given = headers.trim() === '' ? {} : parsedObject(headers);
    setWrong(body === undefined ? 'request' : given === undefined ? 'headers' : undefined);
    if (body === undefined || given === undefined) return;
    const channel = { ...createBody(form.values), ...(before !== undefined && { id: before.id }) };
    preview.mutate({ channel, dialect, group, request: body, headers: given as Record<string, string> });
  };
  return (
    <>
      <SelectField
        label={t('preview.dialect')}
        value={dialect}
        onChange={choose}
        choices={sampleDialects.map((one) => ({ value: one, label: formatName(one) }))}
      />
      <TextField label={t('preview.group')} mono value={group} onChange={setGroup} />
      <TextAreaField
        label={t('preview.request')}
        mono
        rows={6}
        value={request}
        onChange={setRequest}
        error={wrong === 'request' ? t('preview.badJson') : undefined}
      />
      <TextAreaField
        label={t('preview.headers')}
        hint={t('preview.headersHint')}
        placeholder='{ "user-agent": "codex_cli/1" }'
        mono
        rows={2}
        value={headers}
        onChange={setHeaders}
        error={wrong === 'headers' ? t('preview.badJson') : undefined}
      />
      <Button busy={preview.isPending} onClick={show}>
        {t('preview.show')}
      </Button>
      <div role="status">
        {preview.isError && <p className="tone-bad">{messageOf(preview.error)}</p>}
        {preview.data !== undefined && !preview.isError && <Shown previewed={preview.data} />}
      </div>
    </>
  );
};

type Body = NonNullable<Parameters<typeof call<typeof previewRequest>>[1]>['body'];

const askFor = (body: NonNullable<Body>): Promise<Previewed> => call(previewRequest, { body });

/** Scrolls to the preview, which opens below the last field and often outside the visible part. */
const intoView = (shown: HTMLElement | null): void => shown?.scrollIntoView({ block: 'nearest' });

const Shown = ({ previewed }: { readonly previewed: Previewed }) => {
  const { t } = useTranslation('channel-routing');
  const { method, url, headers, body, rules } = previewed;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const fields = parsedObject(body);
  const text = [
    `${method} ${url}`,
    ...lines,
    '',
    fields === undefined ? body : JSON.stringify(fields, null, 2),
  ];
  return (
    <div className="test-report" ref={intoView}>
      <dl className="report-facts">
        <div>
          <dt className="meta">{t('preview.format')}</dt>
          <dd>{formatName(previewed.format)}</dd>
        </div>
        <div>
          <dt className="meta">{t('preview.model')}</dt>
          <dd>{previewed.upstream_model}</dd>
        </div>
      </dl>
      <p className="meta">
        {t('preview.rules', { count: rules })}
        {previewed.signed_later && ` · ${t('preview.signedLater')}`}
      </p>
      <pre className="mono" tabIndex={0} aria-label={t('preview.sent')}>
        {text.join('\n')}
      </pre>
    </div>
  );
};

export default PreviewPanel;
