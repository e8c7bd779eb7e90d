import { useState } from 'react';

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter by free words, taken on Enter or when the field is left. */
export const TextFilter = ({ label, value, onChange }: TextFilterProps) => {
  const [text, setText] = useState(value);
  const take = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <input
      className="input filter"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
};
