import { h } from './dom.js';
import { type Asked, checked, type Complaint, emptied, type Field, labelled, numberOr, type Schema } from './field.js';

/** What is wrong with a number, beyond its bounds, which a browser checks. */
const complaintOf = (value: number, schema: Schema): Complaint => {
  const above = numberOr(schema.exclusiveMinimum, undefined);
  const below = numberOr(schema.exclusiveMaximum, undefined);
  const step = numberOr(schema.multipleOf, undefined);
  if (Number.isNaN(value)) return undefined;
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'This has to be a whole number.';
  if (schema.type === 'integer' && !Number.isSafeInteger(value))
    return 'This number is too large to be sent as it is written.';
  if (above !== undefined && value <= above) return `This has to be more than ${above}.`;
  if (below !== undefined && value >= below) return `This has to be less than ${below}.`;
  if (step === undefined || step <= 0) return undefined;
  const times = value / step;
  // 0.3 is three times 0.1 to whoever writes it, if not to the last bit.
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
    ? undefined
    : `This has to be a multiple of ${step}.`;
};

/** A number. */
export const numberField = (asked: Asked): Field => {
  const { name, schema, isRequired, isNullable = false } = asked;
  const input = h('input', {
    name,
    type: 'number',
    required: isRequired && !isNullable,
    min: numberOr(schema.minimum, undefined),
    max: numberOr(schema.maximum, undefined),
    // A step would be counted from the minimum.
    step: 'any',
  });
  input.value = String(numberOr(schema.default, ''));
  checked(input, () => complaintOf(input.valueAsNumber, schema));
  return {
    element: labelled(asked, input),
    read: () => (input.value === '' ? emptied(asked) : input.valueAsNumber),
  };
};
