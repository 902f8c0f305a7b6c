import { REDACTED } from '../rx/known-secrets.js';
import { withoutSecretTexts } from '../rx/secret-texts.js';

/** A URL up to its query, and the query. */
const QUERY = /(:\/\/(?:(?!:\/\/)[^\s?#"'])*\?)([^\s#"']*)/g;
const QUERY_VALUE = /=[^&]*/g;

/** A query without the values in it. */
export const redactQuery = (query: string): string => query.replace(QUERY_VALUE, `=${REDACTED}`);

/** Takes out what looks like a secret, in a text of which nothing else is known. */
export const redactText = (text: string): string =>
  withoutSecretTexts(
    text.replace(QUERY, (_all, head: string, query: string) => head + redactQuery(query)),
    'message',
  );
