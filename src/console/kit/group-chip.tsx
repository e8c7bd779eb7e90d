import { Chip, type Tone } from './status.tsx';
import { listed } from '../lib/text/format.ts';

/** Source: specification, group tags. */
const tones: Readonly<Record<string, Tone>> = {
  vip: 'warn',
  pro: 'warn',
  svip: 'bad',
  premium: 'bad',
  auto: 'ok',
};

/** Longer names may be cut in a list. */
const SHORT = 20;

/** The name of a user group in its colour. */
export const GroupChip = ({
  name,
  tip: given,
}: {
  readonly name: string;
  readonly tip?: string | undefined;
}) => {
  const tone = tones[name];
  const tip = given ?? (name.length > SHORT ? name : undefined);
  return (
    <Chip {...(tone === undefined ? {} : { tone })} {...(tip === undefined ? {} : { tip })}>
      {name}
    </Chip>
  );
};

/** The first groups of a list and `+n` for the rest, whose names are in its tooltip. */
export const GroupChips = ({
  names,
  shown = 2,
}: {
  readonly names: readonly string[];
  readonly shown?: number;
}) => (
  <span className="chips">
    {names.slice(0, shown).map((name) => (
      <GroupChip key={name} name={name} />
    ))}
    {names.length > shown && <Chip tip={listed(names.slice(shown))}>+{names.length - shown}</Chip>}
  </span>
);

/** Source: specification, group ratio tags: above 5 red, above 3 orange, above 1 blue. */
const ratioTone = (ratio: number): Tone => {
  if (ratio > 5) return 'bad';
  if (ratio > 3) return 'warn';
  return ratio > 1 ? 'info' : 'muted';
};

/** `×1.5`, coloured by how much it raises a price; words (of the group `auto`) stay as they are. */
export const RatioChip = ({ ratio, tip }: { readonly ratio: number | string; readonly tip?: string }) => (
  <Chip tone={typeof ratio === 'number' ? ratioTone(ratio) : 'ok'} {...(tip === undefined ? {} : { tip })}>
    {typeof ratio === 'number' ? `×${ratio}` : ratio}
  </Chip>
);
