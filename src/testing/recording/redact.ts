import { isObject } from '../../jsonrpc/index.js';
import { REDACTED, withoutKnownSecrets } from '../../rx/index.js';

/** Members whose text is a secret, whatever it looks like. */
const SECRET =
  /token|secret|passw|passphrase|credential|cookie|bearer|private|authorization|api[-_]?key|access[-_]?key/i;
/** The protocol's own, and others that count something. `max` and a later `token` are looked for once: a name may be long. */
const HARMLESS = /^progressToken$|^(?:(?!max)[^])*max(?:(?!token).)*token|tokens?[_-]?(?:limit|count)/i;

/** Values in a query or a form whose names say that they are secret. */
const NAMED =
  /(?<=[?&\s]|^)((?:access_|refresh_|id_)?token|api_?key|client_secret|secret|password|passwd|code|sig|signature)=[^&\s"'#]+/gi;

/** A text without what looks like a secret. */
export const redactText = (text: string): string => withoutKnownSecrets(text).replace(NAMED, `$1=${REDACTED}`);

const isSecret = (name: string): boolean => SECRET.test(name) && !HARMLESS.test(name);

/** A JSON value without secrets: texts that look like one, and the texts of members that are named like one. */
export const redactValue = (value: unknown, secret = false): unknown => {
  if (typeof value === 'string') return secret ? REDACTED : redactText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(item, secret));
  if (!isObject(value)) return value;
  // A schema declares members by their names: what is below `properties` is no value of theirs.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'properties' ? redactValue(member) : redactValue(member, isSecret(name) && !isSchema(member)),
    ]),
  );
};

const isSchema = (member: unknown): boolean =>
  isObject(member) && ('type' in member || '$ref' in member || 'anyOf' in member || 'enum' in member);
