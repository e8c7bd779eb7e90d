import '../../shell/frames/console.css';
import { useForm } from '@mantine/form';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, lazy, useState } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { BarList, Share, Spark } from '../../kit/charts/charts.tsx';
import { Copy } from '../../kit/copy.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { JsonField } from '../../kit/fields/json-field.tsx';
import { TagsField } from '../../kit/fields/list-field.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { TimeField } from '../../kit/fields/time-field.tsx';
import { FormDrawer, FormSection } from '../../kit/drawers/form-drawer.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { EmptyState, ErrorState, Notice } from '../../kit/states.tsx';
import { Chips, StatusPill, Switch } from '../../kit/status.tsx';
import { ApiError } from '../../lib/server/api-error.ts';
import { queryClient } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { useDrawerUrl } from '../../lib/browser/url-state.ts';
import { SampleTable } from './sample-table.tsx';

const Markdown = lazy(async () => ({ default: (await import('../../kit/markdown/markdown.tsx')).Markdown }));

const sample = [
  '# Routing',
  '',
  'By **priority**, then by *weight*:',
  '',
  '- one',
  '- two',
  '',
  '```ts',
  'const top = Math.max(...priorities);',
  '```',
].join('\n');

/** Only in development: every part of the kit, to be looked at and clicked. Its words are not translated. */
const KitPage = () => {
  const drawer = useDrawerUrl();
  const [side, setSide] = useState<'left' | 'right'>('left');
  const [isOn, setOn] = useState(true);
  return (
    <div className="page">
      <PageHeader title="Kit" about="What pages are made of">
        <Button onClick={() => toast('ok', 'Saved')}>Toast</Button>
        <Button onClick={() => toast('bad', 'The server said no')}>Error toast</Button>
        <Button
          variant="danger"
          onClick={() =>
            void confirm({
              title: 'Delete 3 tokens?',
              text: 'They stop working at once.',
              action: 'Delete',
              danger: true,
              typed: 'delete',
            })
          }
        >
          Confirm
        </Button>
        <Button variant="primary" onClick={() => drawer.open('new')}>
          Drawer
        </Button>
      </PageHeader>
      <p>
        <StatusPill tone="ok">Enabled</StatusPill> <StatusPill tone="bad">Banned</StatusPill>{' '}
        <StatusPill tone="muted">Off</StatusPill> <Chips names={['default', 'vip', 'svip']} />{' '}
        <Switch checked={isOn} onChange={setOn} label="Enabled">
          {isOn ? 'On' : 'Off'}
        </Switch>{' '}
        <Copy value="sk-0123456789" mono /> <Button busy>Busy</Button>{' '}
        <IconButton label="Icon button">i</IconButton> <Share part={0.4} label="40%" />
      </p>
      <Segmented
        label="Side"
        value={side}
        onChange={setSide}
        options={[
          { value: 'left', label: 'Left', count: 3 },
          { value: 'right', label: 'Right' },
        ]}
      />
      <QueryClientProvider client={queryClient}>
        <SampleTable onEdit={drawer.open} />
      </QueryClientProvider>
      <Notice tone="warn">A warning</Notice>
      <ErrorState
        error={new ApiError('No channel for this model', 503, 'req_1')}
        onRetry={() => toast('info', 'Retry')}
      />
      <EmptyState text="Nothing here yet">
        <Button>Add</Button>
      </EmptyState>
      <Spark label="Spark" values={[3, 5, 2, 8, 9, 4]} />
      <BarList
        label="Share"
        bars={[
          { name: 'gpt-5', value: 9, shown: '9' },
          { name: 'claude', value: 4, shown: '4' },
        ]}
      />
      <Suspense>
        <Markdown text={sample} />
      </Suspense>
      {drawer.id !== undefined && <SampleDrawer onClose={drawer.close} />}
    </div>
  );
};

const SampleDrawer = ({ onClose }: { readonly onClose: () => void }) => {
  const form = useForm({
    initialValues: {
      name: '',
      kind: '1',
      models: ['gpt-4o'],
      quota: 5 as number | undefined,
      until: undefined as number | undefined,
      mapping: '',
      isOn: true,
    },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name' : null) },
  });
  const save = form.onSubmit(() => onClose());
  const choices = Array.from({ length: 40 }, (_, at) => ({ value: String(at), label: `Kind ${at}` }));
  return (
    <FormDrawer
      title="Sample"
      onClose={onClose}
      onSubmit={() => save()}
      isDirty={form.isDirty()}
      isSaving={false}
    >
      <FormSection title="Basics">
        <div className="field-pair">
          <TextField label="Name" required autoFocus {...form.getInputProps('name')} />
          <SelectField label="Kind" choices={choices} {...form.getInputProps('kind')} />
        </div>
        <TagsField
          label="Models"
          choices={choices.map(({ label }) => label)}
          {...form.getInputProps('models')}
        />
        <NumberField label="Quota" unit="units" {...form.getInputProps('quota')} />
        <TimeField
          label="Until"
          presets={[{ label: 'Never', value: () => undefined }]}
          {...form.getInputProps('until')}
        />
        <SwitchField label="Enabled" {...form.getInputProps('isOn', { type: 'checkbox' })} />
      </FormSection>
      <FormSection title="Mapping">
        <JsonField
          label="Model mapping"
          example={'{\n  "gpt-4": "gpt-4o"\n}'}
          {...form.getInputProps('mapping')}
        />
      </FormSection>
    </FormDrawer>
  );
};

export default KitPage;
