import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { UrlPatch } from '../../lib/browser/url-state.ts';
import { vendorOf } from '../../lib/text/vendors.ts';
import { abilitiesOf, kinds, type PricedModel, traits } from './priced-model.ts';

interface PriceFacetsProps {
  readonly models: readonly PricedModel[];
  /** Only its models are counted, whatever the other filters leave of them. */
  readonly group: string;
  readonly vendor: string;
  readonly ability: string;
  readonly onChange: (patch: UrlPatch) => void;
}

/** Makers and abilities with how many models have each. */
export const PriceFacets = ({ models: all, group, vendor, ability, onChange }: PriceFacetsProps) => {
  const { t } = useTranslation('pricing');
  const models = all.filter((model) => model.enable_groups.includes(group));
  const vendors = [...Map.groupBy(models, (model) => vendorOf(model.model_name).name)]
    .filter(([name]) => name !== '')
    .map(([name, of]) => [name, of.length] as const)
    .toSorted(([, left], [, right]) => right - left);
  // Computed once per model: for two thousand models, once per ability would be noticeable.
  const able = Map.groupBy(models.flatMap(abilitiesOf), (name) => name);
  const abilities = [...kinds, ...traits]
    .map((name) => [name, able.get(name)?.length ?? 0] as const)
    .filter(([, count]) => count > 0 && count < models.length);
  return (
    <div className="pricing-facets">
      <div className="pricing-presets" role="group" aria-label={t('vendor')}>
        <Preset isOn={vendor === ''} onPress={() => onChange({ vendor: undefined })}>
          {t('allVendors', { count: models.length })}
        </Preset>
        {vendors.map(([name, count]) => (
          <Preset
            key={name}
            isOn={vendor === name}
            onPress={() => onChange({ vendor: vendor === name ? undefined : name })}
          >
            {name} {count}
          </Preset>
        ))}
      </div>
      {abilities.length > 0 && (
        <div className="pricing-presets" role="group" aria-label={t('column.abilities')}>
          {abilities.map(([name, count]) => (
            <Preset
              key={name}
              isOn={ability === name}
              onPress={() => onChange({ can: ability === name ? undefined : name })}
            >
              {t(`ability.${name}`)} {count}
            </Preset>
          ))}
        </div>
      )}
    </div>
  );
};

interface PresetProps {
  readonly isOn: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

const Preset = ({ isOn, onPress, children }: PresetProps) => (
  <button type="button" className="preset" aria-pressed={isOn} onClick={onPress}>
    {children}
  </button>
);
