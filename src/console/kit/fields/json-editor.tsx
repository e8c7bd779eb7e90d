import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from '../class-names.ts';

interface JsonEditorProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly isWrong: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

const readsJson = jsonParseLinter();
const checks = linter((view) => (view.state.doc.toString().trim() === '' ? [] : readsJson(view)));

/** CodeMirror for JSON, in a chunk of its own. Use JsonField. Tab leaves the editor: it is a form field. */
const JsonEditor = ({ id, label, value, placeholder, isWrong, isDisabled, onChange }: JsonEditorProps) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useEffectEvent((text: string) => onChange(text));
  const makeEditor = useEffectEvent(
    (parent: HTMLElement) =>
      new EditorView({
        parent,
        doc: value,
        extensions: [
          history(),
          json(),
          checks,
          bracketMatching(),
          syntaxHighlighting(colours),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          placeholderText(placeholder),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isDisabled),
          EditorView.contentAttributes.of({ 'aria-label': label, id }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
  );

  useEffect(() => {
    if (host.current === null) return undefined;
    const editor = makeEditor(host.current);
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={host} className={classNames('input', 'json-editor', isWrong && 'json-editor-wrong')} />;
};

export default JsonEditor;
