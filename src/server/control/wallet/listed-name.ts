import type { ModelInfo } from '@pydantic/genai-prices';

/** A rule of the price package that fits a name, and what follows the part it knows; empty if it knows all of the name. */
interface Fit {
  readonly known: string;
  readonly rest: string;
}

/** Words that make another model of another price: sizes, speeds, and what it makes. */
const OTHERS = new Set(
  `ultra max pro mini nano micro lite flash turbo fast highspeed distill image audio tts live realtime transcribe search
  embedding`.split(/\s+/),
);
/** The size of a model whose weights are open: `70b`. */
const SIZE = /^\d+b$/;
/** A further number of a version, as in `claude-sonnet-5-5`. A month before a day or a year is none. */
const FURTHER_VERSION = /^[-.][1-9]\d?(?!\d)(?!-(?:\d{2}|20\d{2})(?!\d))/;
const VERSION = /-v\d+/;
/**
 * A newer model that the package lacks, at the price of the one before: Claude Sonnet 5.5
 * (platform.claude.com/docs/en/models/sonnet-5-5/overview, November 2026).
 */
const SAME_PRICE = { known: /claude-sonnet-5$/, rest: /^[-.]5(?!\d)/ };

const fitsOf = (name: string, match: ModelInfo['match']): readonly Fit[] => {
  if ('or' in match) return match.or.flatMap((rule) => fitsOf(name, rule));
  if ('and' in match) {
    const all = match.and.map((rule) => fitsOf(name, rule));
    return all.some((fits) => fits.length === 0) ? [] : all.flat().filter(({ rest }) => rest !== '');
  }
  const whole = { known: name, rest: '' };
  if ('equals' in match) return name === match.equals.toLowerCase() ? [whole] : [];
  if ('regex' in match) return new RegExp(match.regex).test(name) ? [whole] : [];
  if ('ends_with' in match) return name.endsWith(match.ends_with.toLowerCase()) ? [whole] : [];
  const known = ('contains' in match ? match.contains : match.starts_with).toLowerCase();
  const at = name.indexOf(known);
  if (at < 0 || ('starts_with' in match && at > 0)) return [];
  return [{ known, rest: name.slice(at + known.length) }];
};

const isOther = ({ known, rest: all }: Fit, id: string): boolean => {
  const rest = SAME_PRICE.known.test(known) ? all.replace(SAME_PRICE.rest, '') : all;
  // A rule that ends with a hyphen is about a whole family.
  if (rest === '' || known.endsWith('-')) return false;
  if (/^[a-z]/.test(rest) || FURTHER_VERSION.test(rest)) return true;
  if (rest.split(/[-.:@]/).some((word) => OTHERS.has(word) || SIZE.test(word))) return true;
  const [own, told] = [VERSION.exec(id), VERSION.exec(rest)];
  return own !== null && told?.index === 0 && own[0] !== told[0];
};

/**
 * Whether a name is of the listed model that the package found for it. It goes by how names begin: so it would sell a newer
 * version, a faster or a smaller model at the price of another one.
 */
export const isListedName = (model: string, { id, match }: Pick<ModelInfo, 'id' | 'match'>): boolean => {
  const name = model.toLowerCase().trim();
  const fits = fitsOf(name, match);
  return fits.length === 0 || fits.some((fit) => !isOther(fit, id));
};
