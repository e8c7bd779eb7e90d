import { fieldsOf, listOf, numberOf, textOf, type Fields } from '#core/json/fields.ts';

/** The text of a document to rank: the document if it is a text, else its field `text`, else its JSON. */
export const documentText = (document: unknown): string => {
  if (typeof document === 'string') return document;
  return textOf(fieldsOf(document)['text']) ?? JSON.stringify(document);
};

/** Results of an upstream that returns only scores, with the documents if the caller asked for them. */
export const withDocuments = (results: unknown, asked: Fields): readonly Fields[] => {
  const documents = listOf(asked['documents']);
  return listOf(results)
    .map(fieldsOf)
    .map((result) =>
      asked['return_documents'] === true
        ? { ...result, document: { text: documentText(documents[numberOf(result['index'])]) } }
        : result,
    );
};
