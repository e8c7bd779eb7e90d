interface SearchInputProps {
  /** What is searched: the accessible name and the placeholder. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** In a dialog: typing begins here. */
  readonly isFirst?: boolean;
}

/** A field that narrows what is below it while one types. */
export const SearchInput = ({ label, value, onChange, isFirst }: SearchInputProps) => (
  <input
    type="search"
    className="input"
    aria-label={label}
    placeholder={label}
    value={value}
    data-autofocus={isFirst}
    onChange={(event) => onChange(event.target.value)}
  />
);
