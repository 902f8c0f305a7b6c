import type { Tool } from '../protocol/schemas/index.js';

/** What a tool is to a model and to who approved it. */
export const definition = ({ name, title, description, inputSchema, outputSchema, annotations }: Tool): object => ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
});
