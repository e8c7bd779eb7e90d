import { mappingProblem } from '#contract/channel/model-mapping.ts';
import { STARS_MAX } from '#contract/glob.ts';
import { MODEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { useTranslation } from '../../../../lib/text/i18n.ts';
import { useKnownModels } from '../../use-channel-filters.ts';
import { type Pair } from './json-pairs.ts';
import { PairsField, type PairsFieldProps } from './pairs-field.tsx';

interface MappingFieldProps extends Pick<
  PairsFieldProps,
  'value' | 'onChange' | 'error' | 'label' | 'hint' | 'placeholder'
> {
  /** The channel's models, which are suggested first. */
  readonly models: readonly string[];
}

/** Which names of models are sent upstream under which others. */
const MappingField = ({ models, ...field }: MappingFieldProps) => {
  const { t } = useTranslation('channel-routing');
  const known = useKnownModels();
  const check = ([name]: Pair, pairs: readonly Pair[]): string | undefined => {
    const problem = mappingProblem(new Map(pairs.map(([from, to]) => [from.trim(), to.trim()])));
    return problem?.model === name.trim().slice(0, MODEL_NAME_MAX_LENGTH)
      ? t(`pairs.problem.${problem.kind}`, { stars: STARS_MAX, limit: MODEL_NAME_MAX_LENGTH })
      : undefined;
  };
  return (
    <PairsField
      {...field}
      titles={[t('pairs.asked'), t('pairs.upstream')]}
      example={['gpt-4o', 'gpt-4o-2024-11-20']}
      suggest={[[...new Set([...models, ...known])], known]}
      check={check}
    />
  );
};

export default MappingField;
