import { h } from './dom.js';
import { type Asked, checked, type Complaint, emptied, type Field, labelled, numberOr, type Schema } from './field.js';
import { textOr } from './words.js';

const TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
};

/** No more digits than a year has in JSON Schema. RFC 3339 section 5.6. */
const LATEST: Readonly<Record<string, string>> = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59:59' };

/** A date and a time as an input has them: local, and without a zone. */
const localTime = (value: string): string => {
  const at = new Date(value);
  return Number.isNaN(at.getTime())
    ? ''
    : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

/**
 * A stranger's pattern, as JSON Schema means it: it need not fit the whole. Nothing where it cannot be tried, or might
 * take for ever: a group that is repeated, or many repetitions. Then only the server knows.
 */
export const patternOf = (pattern: unknown): RegExp | undefined => {
  if (typeof pattern !== 'string' || pattern.length > 200) return undefined;
  const bare = pattern.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (/\)[*+{]/.test(bare) || (bare.match(/[*+]|\{\d+,\}/g) ?? []).length > 3) return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
};

/** The longest text that a pattern is tried on, in characters. */
const TRIED = 500;

/** What is wrong with a text. Its length is counted as JSON Schema does: in code points. */
const complaintOf = (text: string, { minLength, maxLength, pattern }: Schema, isThere: boolean): Complaint => {
  if (!isThere) return undefined;
  const length = [...text].length;
  const least = numberOr(minLength, 0);
  const most = numberOr(maxLength, Infinity);
  if (length < least) return `This has to have ${least} characters or more.`;
  if (length > most) return `This may have ${most} characters at most, and has ${length}.`;
  if (length > TRIED) return undefined;
  return patternOf(pattern)?.test(text) === false ? `This has to fit the pattern ${String(pattern)}` : undefined;
};

/** Text: one line or several, a date, an address. What nobody has changed is read as it was given. */
export const textField = (asked: Asked): Field => {
  const { name, schema, isRequired, isNullable = false } = asked;
  const preset = textOr(schema.default, '');
  const usual = TYPES[textOr(schema.format, '')] ?? 'text';
  const common = { name, autocomplete: 'off' };
  const controlOf = (type: string): HTMLInputElement | HTMLTextAreaElement => {
    const control =
      type === 'several lines'
        ? h('textarea', { ...common, rows: 3 })
        : h('input', { ...common, type, max: LATEST[type], step: type === 'datetime-local' ? 1 : undefined });
    control.value = type === 'datetime-local' ? localTime(preset) : preset;
    return control;
  };
  let control = controlOf(usual);
  // A browser makes another text of what does not fit the kind of its input, or nothing.
  const holds = usual === 'datetime-local' ? control.value !== '' || preset === '' : control.value === preset;
  if (!holds) control = controlOf(/[\r\n]/.test(preset) ? 'several lines' : 'text');
  const isTime = control.type === 'datetime-local';
  const initial = control.value;
  const hasKind = control.type !== 'text' && control.type !== 'textarea';
  const mayBeEmpty = isNullable || !isRequired || (!hasKind && numberOr(schema.minLength, 0) === 0);
  control.required = !mayBeEmpty;
  // Empty: left out, null, or a text like any other.
  const isText = (): boolean => control.value !== '' || (isRequired && !isNullable);
  checked(control, () => complaintOf(control.value, schema, isText() && (control.value !== '' || mayBeEmpty)));
  const read = (): string | null | undefined => {
    const { value } = control;
    if (value === initial && preset !== '') return preset;
    if (value !== '') return isTime ? new Date(value).toISOString() : value;
    if (isNullable) return emptied(asked);
    // Whoever empties what was filled in has said so, where that can be said.
    const isSaid = preset !== '' && !hasKind && complaintOf('', schema, true) === undefined;
    return isRequired || isSaid ? '' : undefined;
  };
  return { element: labelled(asked, control), read };
};
