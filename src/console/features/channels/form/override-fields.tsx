import './override-fields.css';
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { overrideOperations } from '#contract/channel/channel-overrides.ts';
import { isRealtimeModel } from '#contract/channel/override-fields.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/fields/select-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import type { ChannelFieldsProps } from './channel-fields.ts';
import { hasValue, means, newRule, type Rule, rulesIn, withRules } from './override-rules.ts';
import { listed } from '../../../lib/text/format.ts';

/** The channel's rules as a list of forms; what they write is the JSON of the settings. */
const OverrideFields = ({ form }: Pick<ChannelFieldsProps, 'form'>) => {
  const { t } = useTranslation('channel-routing');
  const { setting, models, param_override: parameters } = form.values;
  const rules = rulesIn(setting);
  const bodiless = models.filter(isRealtimeModel);
  const changesBodies = parameters.trim() !== '' || rules?.some(({ on }) => on === 'body') === true;
  if (rules === undefined) return <p className="meta tone-warn">{t('rules.broken')}</p>;
  const write = (next: readonly Rule[]): void => form.setFieldValue('setting', withRules(setting, next));
  const raise = (at: number): void => {
    const next = [...rules];
    const [moved] = next.splice(at, 1);
    if (moved !== undefined) next.splice(at - 1, 0, moved);
    write(next);
  };
  return (
    <>
      <p className="meta">{t('rules.hint')}</p>
      {rules.length === 0 && <p className="meta">{t('rules.none')}</p>}
      {bodiless.length > 0 && changesBodies && (
        <p className="meta tone-warn">{t('rules.bodiless', { models: listed(bodiless) })}</p>
      )}
      <ol className="override-rules">
        {rules.map((rule, at) => (
          <li key={at} aria-label={t('rules.rule', { number: at + 1 })}>
            <RuleFields rule={rule} onChange={(next) => write(rules.with(at, next))} />
            <span className="override-tools">
              {at > 0 && (
                <IconButton label={t('rules.up', { number: at + 1 })} onClick={() => raise(at)}>
                  <IconArrowUp size={15} />
                </IconButton>
              )}
              <IconButton
                label={t('rules.remove', { number: at + 1 })}
                onClick={() => write(rules.toSpliced(at, 1))}
              >
                <IconX size={15} />
              </IconButton>
            </span>
          </li>
        ))}
      </ol>
      <Button size="small" icon={<IconPlus size={15} />} onClick={() => write([...rules, newRule])}>
        {t('rules.add')}
      </Button>
    </>
  );
};

interface RuleFieldsProps {
  readonly rule: Rule;
  readonly onChange: (rule: Rule) => void;
}

const RuleFields = ({ rule, onChange }: RuleFieldsProps) => {
  const { t } = useTranslation('channel-routing');
  const { op, on } = rule;
  const isHeader = on === 'header';
  const operations = overrideOperations.filter((one) => isHeader || one !== 'pass');
  const set =
    (name: keyof Rule) =>
    (value: string): void =>
      onChange({ ...rule, [name]: value });
  const setPlace = (place: string): void => {
    const next = place === 'header' ? 'header' : 'body';
    onChange({ ...rule, on: next, op: next === 'body' && op === 'pass' ? 'set' : op });
  };
  return (
    <div className="override-rule override-fields">
      <SelectField
        label={t('rules.op')}
        value={op}
        onChange={set('op')}
        choices={operations.map((one) => ({ value: one, label: t(`rules.ops.${one}`) }))}
      />
      <SelectField
        label={t('rules.on')}
        value={on}
        onChange={setPlace}
        choices={[
          { value: 'body', label: t('rules.body') },
          { value: 'header', label: t('rules.headers') },
        ]}
      />
      <TextField
        label={isHeader ? t('rules.header') : t('rules.path')}
        {...(!isHeader && { hint: t('rules.pathHint') })}
        mono
        value={rule.path}
        onChange={set('path')}
      />
      {op === 'replace' && (
        <TextField
          label={t('rules.find')}
          hint={t('rules.findHint')}
          mono
          value={rule.find}
          onChange={set('find')}
        />
      )}
      {hasValue(op) && (
        <ValueField isJson={!isHeader && op !== 'replace'} value={rule.value} onChange={set('value')} />
      )}
      <Conditions rule={rule} set={set} />
    </div>
  );
};

interface ValueFieldProps {
  readonly isJson: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Keeps the typed text as long as it means the stored value, so that `1.0` can be typed on the way to `1.05`. */
const ValueField = ({ isJson, value, onChange }: ValueFieldProps) => {
  const { t } = useTranslation('channel-routing');
  const [typed, setTyped] = useState(value);
  return (
    <TextField
      label={t('rules.value')}
      {...(isJson && { hint: t('rules.valueHint') })}
      mono
      value={isJson && means(typed, value) ? typed : value}
      onChange={(next) => {
        setTyped(next);
        onChange(next);
      }}
    />
  );
};

interface ConditionsProps {
  readonly rule: Rule;
  readonly set: (name: keyof Rule) => (value: string) => void;
}

const Conditions = ({ rule, set }: ConditionsProps) => {
  const { t } = useTranslation('channel-routing');
  const any = t('rules.any');
  const conditions = [
    { name: 'model', label: t('rules.whenModel'), placeholder: any },
    { name: 'group', label: t('rules.whenGroup'), placeholder: any },
    { name: 'header', label: t('rules.whenHeader'), placeholder: 'user-agent' },
    ...(rule.header === ''
      ? []
      : [{ name: 'headerValue', label: t('rules.whenValue'), placeholder: any } as const]),
  ] as const;
  return (
    <fieldset className="override-when">
      <legend className="meta">{t('rules.when')}</legend>
      {conditions.map(({ name, ...texts }) => (
        <TextField key={name} {...texts} mono value={rule[name]} onChange={set(name)} />
      ))}
    </fieldset>
  );
};

export default OverrideFields;
