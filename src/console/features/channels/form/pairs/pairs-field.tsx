import './pairs-field.css';
import { IconArrowRight, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { IconButton } from '../../../../kit/button.tsx';
import { containing } from '../../../../kit/fields/combobox/containing.ts';
import { FieldNote, type FieldProps } from '../../../../kit/fields/field.tsx';
import { JsonField } from '../../../../kit/fields/json-field.tsx';
import { isEnter } from '../../../../lib/browser/enter-key.ts';
import { useTranslation } from '../../../../lib/text/i18n.ts';
import { type Pair, pairProblem, pairsIn, pairsText, type PairValues } from './json-pairs.ts';

export interface PairsFieldProps extends FieldProps {
  /** A JSON object. */
  readonly value?: string;
  readonly onChange: (value: string) => void;
  readonly values?: PairValues;
  /** What a name and its value are. */
  readonly titles: readonly [string, string];
  /** A row as an example, in the empty one. */
  readonly example: Pair;
  /** What may be typed for either. */
  readonly suggest?: readonly [readonly string[], readonly string[]];
  /** What else is wrong with a row. */
  readonly check?: (pair: Pair, pairs: readonly Pair[]) => string | undefined;
}

const SUGGESTED_MAX = 50;
const NOTHING = [[], []] as const;

/** A JSON object as rows of name and value, or as text; one click between the two. */
export const PairsField = (props: PairsFieldProps) => {
  const { value = '', onChange, values = 'texts', titles, example, suggest, check, ...field } = props;
  const { t } = useTranslation('channel-routing');
  const [isText, setText] = useState(false);
  // Rows stay in the order in which they were typed; JSON puts names that are numbers first.
  const [held, setHeld] = useState({ text: value, pairs: pairsIn(value, values) });
  if (held.text !== value) setHeld({ text: value, pairs: pairsIn(value, values) });
  const { pairs } = held;
  const turn = (
    <button
      type="button"
      className="link"
      disabled={pairs === undefined}
      onClick={() => setText(!isText && pairs !== undefined)}
    >
      {isText || pairs === undefined ? t('pairs.asTable') : t('pairs.asText')}
    </button>
  );
  if (isText || pairs === undefined)
    return (
      <JsonField
        {...field}
        value={value}
        onChange={onChange}
        example={JSON.stringify(Object.fromEntries([example]), null, 2)}
        action={turn}
      />
    );
  const write = (next: readonly Pair[]): void => {
    const last = next.findLastIndex((pair) => pair.some((part) => part !== ''));
    const kept = next.slice(0, last + 1);
    const text = pairsText(kept, values);
    setHeld({ text, pairs: kept });
    onChange(text);
  };
  return (
    <Rows {...{ pairs, write, field, titles, example, turn }} suggest={suggest ?? NOTHING}>
      {(pair) => {
        const problem = pairProblem(pair, pairs, values);
        const said = problem === undefined ? check?.(pair, pairs) : t(`pairs.${problem}`);
        return said === undefined ? undefined : { said, isHalf: problem === 'missing' };
      }}
    </Rows>
  );
};

interface Wrong {
  readonly said: string;
  /** It may just not be typed yet. */
  readonly isHalf: boolean;
}

interface RowsProps extends Pick<PairsFieldProps, 'titles' | 'example'> {
  readonly pairs: readonly Pair[];
  readonly write: (pairs: readonly Pair[]) => void;
  readonly field: FieldProps;
  readonly turn: ReactNode;
  readonly suggest: NonNullable<PairsFieldProps['suggest']>;
  readonly children: (pair: Pair) => Wrong | undefined;
}

/** The rows and an empty one, which becomes a row as soon as something is typed. */
const Rows = ({ pairs, write, field, titles, example, turn, suggest, children: wrongOf }: RowsProps) => {
  const { t } = useTranslation('channel-routing');
  const id = useId();
  const [typed, setTyped] = useState<{ readonly side: 0 | 1; readonly text: string }>();
  const suggested = typed === undefined ? [] : matching(suggest[typed.side], typed.text);
  return (
    <div className="pairs" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-note`}>
      <div className="field-label">
        <span id={`${id}-label`}>{field.label}</span>
        <span className="field-actions">{turn}</span>
      </div>
      {[...pairs, ['', ''] as const].map((pair, at) => {
        const isNew = at === pairs.length;
        const wrong = isNew ? undefined : wrongOf(pair);
        const cell = (side: 0 | 1) => (
          <input
            className="input mono"
            aria-label={`${field.label}: ${titles[side]} ${String(at + 1)}`}
            aria-invalid={wrong !== undefined || undefined}
            aria-describedby={wrong === undefined ? undefined : `${id}-${String(at)}`}
            placeholder={isNew ? example[side] : undefined}
            value={pair[side]}
            list={`${id}-list`}
            autoComplete="off"
            spellCheck={false}
            onFocus={() => setTyped({ side, text: pair[side] })}
            onKeyDown={(event) => {
              if (isEnter(event)) event.preventDefault();
            }}
            onChange={({ target: { value: text } }) => {
              setTyped({ side, text });
              write(pairs.toSpliced(at, 1, side === 0 ? [text, pair[1]] : [pair[0], text]));
            }}
          />
        );
        return (
          // By their places: a row that is typed has no name of its own yet.
          <div key={at}>
            <div className="pairs-line">
              {cell(0)}
              <IconArrowRight size={15} aria-hidden />
              {cell(1)}
              {!isNew && (
                <IconButton
                  label={t('pairs.remove', { name: pair[0] || String(at + 1) })}
                  onClick={() => write(pairs.toSpliced(at, 1))}
                >
                  <IconX size={15} />
                </IconButton>
              )}
            </div>
            {wrong !== undefined && (
              <p
                className={wrong.isHalf ? 'field-error pairs-missing' : 'field-error'}
                id={`${id}-${String(at)}`}
                role="alert"
              >
                {wrong.said}
              </p>
            )}
          </div>
        );
      })}
      <datalist id={`${id}-list`}>
        {suggested.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <FieldNote id={id} field={field} />
    </div>
  );
};

/** Names that contain what is typed; none of thousands is drawn that is not meant. */
const matching = (names: readonly string[], text: string): readonly string[] => {
  const found = containing(names, text, (name) => name);
  return found.filter((name) => name !== text).slice(0, SUGGESTED_MAX);
};
