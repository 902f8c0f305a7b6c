import { firstValueFrom } from 'rxjs';
import { formIssues } from '../../protocol/elicit-form.js';
import type { Question } from '../../protocol/index.js';
import type { ElicitRequestFormParams, ElicitResult } from '../../protocol/schemas/index.js';
import { clean, oneLine, textOf } from '../text/clean.js';
import { bold, cyan, dim, type Part, red } from '../text/paint.js';
import type { Ask } from './dialogue.js';
import { type Field, type FieldValue, fieldsOf, readField, valueText } from './field.js';

type Content = Record<string, FieldValue>;
type Step = 'decline' | 'cancel' | undefined;

/** Who asks: what the user calls the server, and what it calls itself. */
export const asker = (key: string, { server }: Pick<Question<unknown>, 'server'>): readonly Part[] => {
  const self = server.info?.title ?? server.info?.name;
  return [
    bold(oneLine(key)),
    self === undefined || self === key ? '' : ` (it calls itself ${JSON.stringify(oneLine(self))})`,
  ];
};

/** A line that is an answer to the question as a whole. One that only looks so is typed with two colons. */
const stepOf = (line: string | undefined): Step => {
  if (line === undefined || /^:c(?:ancel)?$/i.test(line.trim())) return 'cancel';
  return /^:d(?:ecline)?$/i.test(line.trim()) ? 'decline' : undefined;
};

const promptOf = ({ title, required, default: otherwise, choices, type, hints }: Field): readonly Part[] => {
  const facts = [
    ...(type === 'boolean' && choices === undefined ? ['yes or no'] : hints),
    ...(otherwise === undefined
      ? required
        ? []
        : ['may be left out']
      : [`Enter for ${valueText(otherwise, choices)}`]),
  ];
  return [cyan(title), facts.length === 0 ? '' : ` (${facts.join(', ')})`, ': '];
};

/** What is wrong with the value of one field by itself. */
const issuesOf = async ({ name, schema }: Field, value: FieldValue): Promise<readonly string[]> => {
  const issues = await firstValueFrom(
    formIssues({ type: 'object', properties: { [name]: schema } }, { [name]: value }),
  );
  // The first names the property, and the second what is wrong with it.
  const own = issues.filter((issue) => !issue.startsWith('#:'));
  return (own.length === 0 ? issues : own).map((issue) => issue.replace(/^#\/[^:]*: /, ''));
};

const askField = async (ask: Ask, field: Field): Promise<{ readonly value: FieldValue | undefined } | Step> => {
  if (field.description !== undefined) ask.say(dim(`  ${field.description}`));
  field.choices?.forEach(({ label }, index) => {
    ask.say(`  ${index + 1}. ${label}`);
  });
  for (;;) {
    const line = await ask.line(...promptOf(field));
    const step = stepOf(line);
    if (line === undefined || step !== undefined) return step;
    const reading = readField(field, line.replace(/^::/, ':'));
    if ('problem' in reading) {
      ask.say(red(reading.problem));
      continue;
    }
    const issues = reading.value === undefined ? [] : await issuesOf(field, reading.value);
    if (issues.length === 0) return reading;
    for (const issue of issues) ask.say(red(issue));
  }
};

const fill = async (ask: Ask, fields: readonly Field[]): Promise<Content | Exclude<Step, undefined>> => {
  const content = new Map<string, FieldValue>();
  for (const field of fields) {
    const filled = await askField(ask, field);
    if (filled === undefined || typeof filled === 'string') return filled ?? 'cancel';
    if (filled.value !== undefined) content.set(field.name, filled.value);
  }
  return Object.fromEntries(content);
};

const review = async (
  ask: Ask,
  fields: readonly Field[],
  content: Content,
): Promise<'send' | 'edit' | Exclude<Step, undefined>> => {
  ask.say(bold('This will be sent:'));
  for (const { name, title, choices } of fields) {
    ask.say(`  ${title}: `, valueText(Object.hasOwn(content, name) ? content[name] : undefined, choices));
  }
  for (;;) {
    const line = await ask.confirm(bold('Send it?'), ' [y]es, [e]dit, [d]ecline, [c]ancel: ');
    const step = stepOf(line);
    if (line === undefined || step !== undefined) return step ?? 'cancel';
    const word = line.trim().toLowerCase();
    if (['y', 'yes'].includes(word)) return 'send';
    if (['e', 'edit'].includes(word)) return 'edit';
    if (['d', 'decline', 'n', 'no'].includes(word)) return 'decline';
    if (['c', 'cancel'].includes(word)) return 'cancel';
  }
};

/**
 * Has a person fill in a server's form: who asks and what for, each field with what is known of it, and all of it once
 * more before it is sent. It can be declined and cancelled at every line; a form without fields is only sent or not.
 */
export const askForm =
  (key: string, question: Question<ElicitRequestFormParams>) =>
  async (ask: Ask): Promise<ElicitResult> => {
    const { message, requestedSchema } = question.params;
    let fields = fieldsOf(requestedSchema);
    ask.say('');
    ask.say(...asker(key, question), ' asks:');
    ask.say(clean(textOf(message)));
    if (fields.length > 0) ask.say(dim('(:decline says no, :cancel or Ctrl-D leaves it, Ctrl-C ends the call)'));
    for (;;) {
      const content = await fill(ask, fields);
      if (typeof content === 'string') return { action: content };
      const issues = await firstValueFrom(formIssues(requestedSchema, content));
      if (issues.length > 0) {
        ask.say(red('This is not what is asked for:'));
        for (const issue of issues) ask.say(`  ${issue}`);
        continue;
      }
      const next = await review(ask, fields, content);
      if (next === 'send') return { action: 'accept', content };
      if (next !== 'edit') return { action: next };
      // What was filled in once need not be typed again.
      fields = fields.map((field) => ({
        ...field,
        default: Object.hasOwn(content, field.name) ? content[field.name] : field.default,
      }));
    }
  };
